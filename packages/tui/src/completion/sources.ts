// What the word at the cursor could become: a command, a file of the project, a skill.
import type { Client } from "@codelia/protocol";
import { visibleName } from "@codelia/shared-types";
import type { Completion, CompletionItem, CompletionSource } from "../composer/index.ts";
import { shownLine } from "../screen/index.ts";

export interface CompletionOptions {
  /** Undefined: the runtime is not there yet. */
  readonly client: () => Client | undefined;
  readonly cwd: string;
  readonly commands: Readonly<Record<string, { readonly summary: string }>>;
}

const maxFiles = 50;
const maxSkills = 20;

export function createCompletion({ client, cwd, commands }: CompletionOptions): CompletionSource {
  return async (text, cursor) => {
    const before = text.slice(0, cursor);
    const word = /(?:^|\s)([@$/][^\s]*)$/u.exec(before)?.[1];
    if (word === undefined) return undefined;
    const start = cursor - word.length;
    const end = start + (/^[^\s]*/u.exec(text.slice(start))?.[0].length ?? 0);
    const found = (items: readonly CompletionItem[]): Completion => ({ start, end, items });
    const query = word.slice(1);
    const runtime = client();
    switch (word.charAt(0)) {
      case "/":
        return start === 0 ? found(commandItems(commands, query)) : undefined;
      case "@":
        return runtime && found(await fileItems(runtime, cwd, query));
      default:
        return runtime && found(await skillItems(runtime, cwd, query));
    }
  };
}

function commandItems(commands: CompletionOptions["commands"], query: string): CompletionItem[] {
  return Object.entries(commands)
    .filter(([name]) => name.startsWith(query))
    .map(([name, { summary }]) => ({ insert: `/${name} `, label: `/${name}`, note: summary }));
}

async function fileItems(client: Client, cwd: string, query: string): Promise<CompletionItem[]> {
  const { files } = await client.call("files.search", { cwd, query, limit: maxFiles });
  // A name with a space would end at it, and one that needs escapes would name another file: both are quoted.
  return files.map((path) => ({
    insert: `@${/\s/.test(path) || visibleName(path) !== path ? JSON.stringify(path) : path} `,
    label: visibleName(path),
  }));
}

async function skillItems(client: Client, cwd: string, query: string): Promise<CompletionItem[]> {
  const skills =
    query === ""
      ? (await client.call("skills.list", { cwd })).skills.slice(0, maxSkills)
      : (await client.call("skills.search", { cwd, query, limit: maxSkills })).results.map(
          ({ skill }) => skill,
        );
  return skills.map(({ name, scope, description }) => ({
    insert: `$${name} `,
    label: `$${name}`,
    note: `[${scope}] ${shownLine(description)}`,
  }));
}

// A project with flow agents, and the program run in it as a person would.
import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { FlowEventSchema, type FlowOutcome } from "@codelia/protocol";
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export class FlowDesk implements Disposable {
  readonly tree: TemporaryTree;

  /** @input files: below the repository */
  constructor(files: TreeDescription = {}, turns: readonly unknown[] = [{ text: "ok" }]) {
    this.tree = new TemporaryTree({ "home/": "", "repo/.git/": "" });
    this.tree.add(
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`repo/${path}`, content])),
    );
    this.tree.add({ "script.json": JSON.stringify({ turns, after_last: "repeat_last" }) });
  }

  get model(): string {
    return `scripted/${this.tree.at("script.json")}`;
  }

  /** What the program is started with. */
  get place() {
    return { cwd: this.tree.at("repo"), home: this.tree.at("home") };
  }

  agent(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    return codelia(["agent", ...args], { ...this.place, env });
  }

  run(name: string, args: readonly string[] = [], env?: Readonly<Record<string, string>>): Promise<Run> {
    return this.agent(["run", name, "--trust", "-m", this.model, "--approval", "full", ...args], env);
  }

  /** Cuts a journal below Codelia's home after the first record with these words, as a killed process would leave it. */
  cutAfter(folder: "flows" | "sessions", words: string): string {
    const top = this.tree.at("home/.codelia", folder);
    const [name = ""] = readdirSync(top);
    const [id = ""] = readdirSync(join(top, name));
    const path = join(top, name, id, "journal.jsonl");
    const lines = readFileSync(path, "utf8").split("\n");
    const kept = lines.slice(0, lines.findIndex((line) => line.includes(words)) + 1);
    truncateSync(path, Buffer.byteLength(`${kept.join("\n")}\n`));
    return id;
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

/** How a run ended that was started with --json. */
export function outcomeOf({ stdout }: Pick<Run, "stdout">): FlowOutcome {
  const line = stdout.trim().split("\n").at(-1) ?? "{}";
  // `seq` is the line's own.
  const last = FlowEventSchema.parse(
    JSON.parse(line, (key, value: unknown) => (key === "seq" ? undefined : value)),
  );
  if (last.type !== "flow.finished") throw new Error(`the last event is ${last.type}`);
  return last;
}

export function agentFiles(
  name: string,
  agent: unknown,
  prompts: Readonly<Record<string, string>> = { "p.md": "Do it." },
): TreeDescription {
  const folder = `.codelia/agents/${name}`;
  return {
    [`${folder}/agent.json`]: typeof agent === "string" ? agent : JSON.stringify(agent),
    ...Object.fromEntries(Object.entries(prompts).map(([path, text]) => [`${folder}/${path}`, text])),
  };
}

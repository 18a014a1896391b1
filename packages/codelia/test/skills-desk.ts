// A user's desk for tests of skills: a repository, a home, skills in both, and runs of the program with a scripted model.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type SessionRecord, SessionRecordSchema } from "@codelia/shared-types";
import { z } from "zod";
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

const LineSchema = z.object({ record: z.unknown(), blob: z.string().optional() });

export function skill(name: string, description: string, body = `Do ${name}.\n`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

export function load(selector: { name?: string; path?: string }): object {
  return { tool_calls: [{ name: "skill_load", arguments: selector }] };
}

export class SkillDesk implements Disposable {
  readonly tree: TemporaryTree;

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "home/": "", "repo/.git/": "", ...description });
  }

  /** @input name with its scope: `repo/release-notes`, `home/mail` */
  path(name: string): string {
    const [place = "", ...rest] = name.split("/");
    return this.tree.at(place, ".agents/skills", ...rest, "SKILL.md");
  }

  async run(prompt: string, script: object, args: readonly string[] = [], cwd = "repo"): Promise<Run> {
    this.tree.add({ "script.json": JSON.stringify(script) });
    const model = `scripted/${this.tree.at("script.json")}`;
    return codelia(["run", prompt, "--trust", "-m", model, ...args], {
      cwd: this.tree.at(cwd),
      home: this.tree.at("home"),
    });
  }

  /** The records of the only session, blobs included. */
  records(): SessionRecord[] {
    const sessions = this.tree.at("home/.codelia/sessions");
    const [folder = ""] = readdirSync(sessions);
    const [id = ""] = readdirSync(join(sessions, folder));
    const lines = readFileSync(join(sessions, folder, id, "journal.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => {
      const { record, blob } = LineSchema.parse(JSON.parse(line));
      const kept = join(sessions, folder, id, "blobs", blob ?? "");
      return SessionRecordSchema.parse(record ?? JSON.parse(readFileSync(kept, "utf8")));
    });
  }

  /** What tools said, in order, with the tree's own path written as `/`. */
  outputs(): string[] {
    return this.records().flatMap((record) =>
      record.type === "message.tool" ? [record.message.output.replaceAll(`${this.tree.path}/`, "/")] : [],
    );
  }

  reminders(): { kind: string; text: string }[] {
    return this.records().flatMap((record) =>
      record.type === "reminder"
        ? [{ kind: record.kind, text: record.text.replaceAll(`${this.tree.path}/`, "/") }]
        : [],
    );
  }

  /** The catalog that the session was given. */
  catalog(): string | undefined {
    const context = this.records().find((record) => record.type === "session.context");
    const last = context?.prefix.at(-1);
    const text = last?.role === "system" ? last.text : undefined;
    return text?.startsWith("<skills_context>") === true
      ? text.replaceAll(`${this.tree.path}/`, "/")
      : undefined;
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

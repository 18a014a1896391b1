// A user's desk for tests of sessions: a real git repository, an empty home, and runs of the program with a scripted model.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { methods, type Result } from "@codelia/protocol";
import { codelia, type Run } from "../../../test/support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export interface DeskRun {
  /** Below the tree; default: the repository. */
  readonly in?: string;
  readonly stdin?: string;
}

export class SessionDesk implements Disposable {
  readonly tree: TemporaryTree;

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "home/": "", "repo/a.txt": "one\n", ...description });
    this.git("init", "--quiet");
    this.git("add", ".");
    this.git("commit", "--quiet", "--message", "start");
  }

  git(...args: readonly string[]): void {
    const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    const { status, stderr } = spawnSync("git", [...identity, ...args], {
      cwd: this.tree.at("repo"),
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: this.tree.at("home"), GIT_CONFIG_NOSYSTEM: "1" },
    });
    if (status !== 0) throw new Error(stderr);
  }

  codelia(args: readonly string[], { in: place = "repo", stdin = "" }: DeskRun = {}): Promise<Run> {
    return codelia(args, { cwd: this.tree.at(place), home: this.tree.at("home"), stdin });
  }

  /** What a run with this model is started with. */
  modelArgs(turns: readonly unknown[]): string[] {
    this.tree.add({ "script.json": JSON.stringify({ turns }) });
    return ["--trust", "-m", `scripted/${this.tree.at("script.json")}`];
  }

  run(
    prompt: string,
    turns: readonly unknown[],
    args: readonly string[] = [],
    options?: DeskRun,
  ): Promise<Run> {
    return this.codelia(["run", prompt, ...this.modelArgs(turns), ...args], options);
  }

  /** A session of one answer. @output its id */
  async session(title: string, { minute, ...options }: DeskRun & { minute?: number } = {}): Promise<string> {
    const before = new Set(this.sessionIds());
    const { code, stderr } = await this.run(title, [{ text: `About ${title}.` }], [], options);
    if (code !== 0) throw new Error(stderr);
    const [id = ""] = this.sessionIds().filter((each) => !before.has(each));
    if (minute !== undefined) this.touch(id, minute);
    return id;
  }

  /** Makes a session one that was last used so many minutes after the others. */
  touch(id: string, minute: number): void {
    const time = new Date(Date.UTC(2026, 0, 2, 3, minute));
    utimesSync(join(this.directory(id), "journal.jsonl"), time, time);
  }

  get sessions(): string {
    return this.tree.at("home/.codelia/sessions");
  }

  directory(id: string): string {
    const folder = readdirSync(this.sessions).find((each) =>
      readdirSync(join(this.sessions, each)).includes(id),
    );
    return join(this.sessions, folder ?? "", id);
  }

  sessionIds(): string[] {
    if (!existsSync(this.sessions)) return [];
    return readdirSync(this.sessions).flatMap((folder) => readdirSync(join(this.sessions, folder)));
  }

  async list(args: readonly string[] = [], options?: DeskRun): Promise<Result<"session.list">> {
    const { stdout } = await this.codelia(["sessions", "list", "--json", ...args], options);
    return methods["session.list"].result.parse(JSON.parse(stdout));
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]();
  }
}

export function call(name: string, args: unknown): unknown {
  return { tool_calls: [{ name, arguments: args }] };
}

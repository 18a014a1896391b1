// A user's machine for tests of safety: a repository, a home, and runs of the real program with a scripted model. What
// counts is what lies on the disk afterwards and what was recorded, never what a model says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { codelia, type Run } from "../support/codelia.ts";
import { TemporaryTree, type TreeDescription } from "../support/tree.ts";

/** What became of one call: whether it may run, and what the model is told. */
export interface Outcome {
  readonly decision: string | undefined;
  readonly isError: boolean;
  readonly output: string;
}

export interface SafetyRun extends Run {
  readonly outcomes: readonly Outcome[];
}

export interface SceneRun {
  readonly approval?: "ask" | "auto-edit" | "full";
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Below the tree; default: the repository. */
  readonly cwd?: string;
}

export type Call = readonly [tool: string, args: object];

/** `repo` is the project and `home` the user's home; everything else is somebody's files. */
export class SafetyScene extends TemporaryTree {
  constructor(description: TreeDescription = {}) {
    super({ "repo/.codelia/": "", "home/": "", "bin/": "", ...description });
  }

  /** Lets a scripted model make the calls, one a turn. */
  async run(calls: readonly Call[], options: SceneRun = {}): Promise<SafetyRun> {
    const turns = [
      ...calls.map(([name, args]) => ({ tool_calls: [{ name, arguments: args }] })),
      { text: "Done." },
    ];
    this.add({ "script.json": JSON.stringify({ turns }) });
    const { approval = "full", args = [] } = options;
    const model = `scripted/${this.at("script.json")}`;
    const run = await this.codelia(
      ["run", "go", "--trust", "--json", "--approval", approval, "-m", model, ...args],
      options,
    );
    return { ...run, outcomes: outcomesIn(run.stdout) };
  }

  async bash(command: string, options: SceneRun = {}): Promise<string> {
    const { outcomes, stderr } = await this.run([["bash", { command }]], options);
    return outcomes[0]?.output ?? stderr;
  }

  codelia(args: readonly string[], { env = {}, cwd = "repo" }: SceneRun = {}): Promise<Run> {
    // The tree is below /tmp, of which commands see another one. A program's folder keeps its surroundings visible.
    const path = `${this.at("bin")}:${process.env.PATH ?? ""}`;
    return codelia(args, { cwd: this.at(cwd), home: this.at("home"), env: { PATH: path, ...env } });
  }

  /** Every byte that is kept below a folder, as text. */
  kept(folder: string): string {
    return readdirSync(this.at(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
      .join("\n");
  }

  text(name: string): string {
    return readFileSync(this.at(name), "utf8");
  }
}

const Decided = z.object({
  type: z.literal("permission.decided"),
  call_id: z.string(),
  decision: z.string(),
  by: z.string(),
});
const Finished = z.object({
  type: z.literal("tool.finished"),
  call_id: z.string(),
  is_error: z.boolean(),
  output: z.string(),
});

function outcomesIn(stdout: string): Outcome[] {
  const events: unknown[] = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): unknown => JSON.parse(line));
  const decisions = new Map<string, string>();
  const outcomes: Outcome[] = [];
  for (const event of events) {
    const decided = Decided.safeParse(event).data;
    if (decided) decisions.set(decided.call_id, `${decided.decision} by ${decided.by}`);
    const finished = Finished.safeParse(event).data;
    if (finished === undefined) continue;
    const { call_id, is_error: isError, output } = finished;
    outcomes.push({ decision: decisions.get(call_id), isError, output });
  }
  return outcomes;
}

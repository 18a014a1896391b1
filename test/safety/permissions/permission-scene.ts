// A project with rules: what would be decided about a call, asked over the protocol, and runs of the real program.
import { connectInProcess, type Params, PermissionsCheckResultSchema, type Result } from "@codelia/protocol";
import { createHandlers } from "@codelia/runtime";
import type { DecidingRule, SettingFlag } from "@codelia/shared-types";
import { nodeDisk, nodeFileSystem } from "@codelia/storage";
import { z } from "zod";
import { type Call, SafetyScene, type SceneRun } from "../scene.ts";

export type Check = Result<"permissions.check">;

type CheckedCall = Params<"permissions.check">["call"];
type Mode = Params<"permissions.check">["approval"];

export interface CheckOptions {
  readonly mode?: Mode;
  readonly settings?: readonly SettingFlag[];
}

const Decided = z.looseObject({
  type: z.literal("permission.decided"),
  decision: z.string(),
  by: z.string(),
  reason: z.string(),
  rule: z.custom<DecidingRule>().optional(),
});

export interface DecidedRun {
  readonly code: number;
  readonly decisions: readonly z.infer<typeof Decided>[];
}

export class PermissionScene extends SafetyScene {
  /** The user's own config. */
  rules(permissions: { allow?: readonly object[]; deny?: readonly object[] }): void {
    this.add({ "home/.codelia/config.json": JSON.stringify({ permissions }) });
  }

  /** Over the protocol in this process, since a table has many cases. */
  check(call: CheckedCall, { mode = "ask", settings = [] }: CheckOptions = {}): Promise<Check> {
    const environment = {
      env: { PATH: process.env.PATH, HOME: this.at("home") },
      userHome: this.at("home"),
      fs: nodeFileSystem,
      disk: nodeDisk,
      version: "0",
      now: () => new Date("2026-01-01"),
      fetch: () => Promise.reject(new Error("there is no network here")),
      executable: process.execPath,
    };
    const client = connectInProcess(createHandlers(environment, { settings, trust: true }));
    return client.call("permissions.check", { cwd: this.at("repo"), approval: mode, call });
  }

  /** In two words: what, and by whom. */
  async decision(call: CheckedCall, options: CheckOptions = {}): Promise<string> {
    const { decision, by } = await this.check(call, options);
    return by === undefined ? decision : `${decision} by ${by}`;
  }

  command(command: string, mode: Mode = "ask"): Promise<string> {
    return this.decision({ kind: "command", command }, { mode });
  }

  file(
    kind: "read" | "write",
    paths: readonly string[],
    mode: Mode = "ask",
    tool: string = kind,
  ): Promise<string> {
    return this.decision({ kind, tool, paths: [...paths] }, { mode });
  }

  /** Through the command line. */
  async checkLine(...args: readonly string[]): Promise<Check> {
    const { stdout, stderr } = await this.codelia(["permissions", "check", "--trust", "--json", ...args]);
    if (stdout === "") throw new Error(stderr);
    return PermissionsCheckResultSchema.parse(JSON.parse(stdout));
  }

  /** A run of the program in which a scripted model makes the calls; nobody can be asked. */
  async decided(calls: readonly Call[], options: SceneRun = {}): Promise<DecidedRun> {
    const { approval = "ask", args = [] } = options;
    this.script(calls);
    const model = `scripted/${this.at("script.json")}`;
    const { code, stdout } = await this.codelia(
      ["run", "go", "--trust", "--json", "--approval", approval, "-m", model, ...args],
      options,
    );
    const lines = stdout.split("\n").filter((line) => line.includes('"permission.decided"'));
    return { code, decisions: lines.map((line) => Decided.parse(JSON.parse(line))) };
  }

  /** One call a turn. */
  script(calls: readonly Call[]): void {
    const turns = calls.map(([name, args]) => ({ tool_calls: [{ name, arguments: args }] }));
    this.add({ "script.json": JSON.stringify({ turns: [...turns, { text: "Done." }] }) });
  }
}

// A repository that brings an MCP server, which its user approved, and what became of it afterwards.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToRepository, type Run, repository } from "../../support/codelia.ts";
import type { TreeDescription } from "../../support/tree.ts";
import { SafetyScene, type SceneRun } from "../scene.ts";

const script = join(repository, "packages/runtime/test/mcp/servers/hostile-server.ts");

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object;
}

export const act: OfferedTool = { name: "act", description: "does act" };

/** The canaries: `starts.log` grows when the server starts, `acted.log` when its tool is used. */
export class McpSafetyScene extends SafetyScene {
  constructor(description: TreeDescription = {}) {
    super({ "repo/starts.log": "", ...description });
  }

  override codelia(args: readonly string[], { env = {}, ...rest }: SceneRun = {}): Promise<Run> {
    return super.codelia(args, { ...rest, env: { PATH: `${this.at("bin")}:${pathToRepository}`, ...env } });
  }

  /** The project's settings name this server. */
  serve(mode: string, args: readonly string[] = [], more: object = {}): this {
    const box = { command: process.execPath, args: [script, mode, ...args], ...more };
    this.add({ "repo/.codelia/config.json": JSON.stringify({ mcp: { servers: { box } } }) });
    return this;
  }

  /** A server that offers these tools, whenever it is asked. */
  offer(...tools: OfferedTool[]): this {
    const whole = tools.map((tool) => ({ inputSchema: { type: "object", properties: {} }, ...tool }));
    this.add({ "repo/tools.json": JSON.stringify(whole) });
    return this.serve("from-file", ["tools.json"]);
  }

  async approve(): Promise<this> {
    const { code, stderr } = await this.codelia(["mcp", "approve", "box", "--trust"]);
    if (code !== 0) throw new Error(stderr);
    return this.forget();
  }

  /** The canaries begin anew. */
  forget(): this {
    this.add({ "repo/starts.log": "", "repo/acted.log": "" });
    return this;
  }

  get starts(): number {
    return readFileSync(this.at("repo/starts.log"), "utf8").split("\n").length - 1;
  }

  get acts(): number {
    const file = this.at("repo/acted.log");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
  }
}

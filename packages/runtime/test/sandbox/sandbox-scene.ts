// A workspace and a home for commands in the real sandbox, run through the tool `bash`.
import { afterEach } from "bun:test";
import { defaultSettings } from "@codelia/config";
import type { SandboxSettings } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";
import { TemporaryTree, type TreeDescription } from "../../../../test/support/tree.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type BashTool, createBashTool } from "../../src/tools/bash.ts";
import { environmentAt, runTool } from "../tools/tool-run.ts";

export interface SceneOptions {
  readonly settings?: Partial<SandboxSettings>;
  readonly env?: Readonly<Record<string, string>>;
  /** The workspace below the tree. */
  readonly workspace?: string;
}

const scenes: SandboxScene[] = [];

/** `work` is the workspace, `home` the user's home; all else is somebody's files. */
export class SandboxScene extends TemporaryTree {
  readonly sandbox: Sandbox;
  readonly tool: BashTool;

  constructor(description: TreeDescription, options: SceneOptions = {}) {
    const { workspace = "work" } = options;
    super({ [`${workspace}/`]: "", "home/": "", "bin/": "", ...description });
    ({ sandbox: this.sandbox, tool: this.tool } = sessionIn(this, options));
    scenes.push(this);
  }

  /** Another session in the same workspace. */
  again(settings: Partial<SandboxSettings>): Session {
    const session = sessionIn(this, { settings });
    further.push(session);
    return session;
  }

  /** @output what the model would see */
  bash(command: string, args: object = {}): Promise<string> {
    return runTool(this.tool, { command, ...args });
  }

  async end(): Promise<void> {
    await this.tool.dispose();
    await this.sandbox.dispose();
  }
}

interface Session {
  readonly sandbox: Sandbox;
  readonly tool: BashTool;
  bash(command: string): Promise<string>;
  end(): Promise<void>;
}

const further: Session[] = [];

function sessionIn(
  tree: TemporaryTree,
  { settings = {}, env = {}, workspace = "work" }: SceneOptions,
): Session {
  // The tree is below /tmp, of which commands see another one. A program's folder keeps its surroundings visible.
  const variables = { PATH: `${tree.at("bin")}:${process.env.PATH ?? ""}`, HOME: tree.at("home"), ...env };
  const sandbox = createSandbox({
    fs: nodeFileSystem,
    settings: { ...defaultSettings.sandbox, ...settings },
    workspace: tree.at(workspace),
    userHome: tree.at("home"),
    codeliaHome: tree.at("home/.codelia"),
    env: variables,
    readable: [],
    executable: process.execPath,
    isRoot: process.getuid?.() === 0,
    platform: process.platform,
  });
  const tool = createBashTool(environmentAt(tree.at(workspace), variables, sandbox));
  return {
    sandbox,
    tool,
    bash: (command) => runTool(tool, { command }),
    end: async () => {
      await tool.dispose();
      await sandbox.dispose();
    },
  };
}

export function endScenesAfterEachTest(): void {
  afterEach(async () => {
    for (const session of further.splice(0)) await session.end();
    for (const scene of scenes.splice(0)) {
      await scene.end();
      scene[Symbol.dispose]();
    }
  });
}

// A process of its own that runs one command in the sandbox: workspace, home and command are its arguments.
import { defaultSettings } from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { createSandbox } from "../../src/sandbox/index.ts";
import { createBashTool } from "../../src/tools/bash.ts";
import { environmentAt, runTool } from "../tools/tool-run.ts";

const [workspace = "", home = "", command = ""] = process.argv.slice(2);
const sandbox = createSandbox({
  fs: nodeFileSystem,
  settings: defaultSettings.sandbox,
  workspace,
  userHome: home,
  codeliaHome: `${home}/.codelia`,
  env: process.env,
  readable: [],
  executable: process.execPath,
  isRoot: process.getuid?.() === 0,
  platform: process.platform,
});
await runTool(createBashTool(environmentAt(workspace, undefined, sandbox)), { command });

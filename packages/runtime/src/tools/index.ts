// The tools of an agent.
import type { Tool } from "@codelia/core";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createBashTool } from "./bash.ts";
import { createEditTool } from "./edit.ts";
import type { ToolEnvironment } from "./environment.ts";
import { createFetchUrlTool } from "./fetch-url.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import { createListTool } from "./list.ts";
import { createReadTool } from "./read.ts";
import { createTodoTool } from "./todo.ts";
import { createWriteTool } from "./write.ts";

export { childEnvironment } from "./child-environment.ts";
export type { ToolEnvironment } from "./environment.ts";
export { ReadVersions } from "./read-versions.ts";

export interface Toolbox {
  /** By name, in the order in which the model is told of them. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Ends whatever still runs in the background. */
  dispose(): Promise<void>;
}

export function createToolbox(environment: ToolEnvironment): Toolbox {
  const bash = createBashTool(environment);
  const tools = [
    untyped(createReadTool(environment)),
    untyped(createWriteTool(environment)),
    untyped(createEditTool(environment)),
    untyped(createApplyPatchTool(environment)),
    untyped(createListTool(environment)),
    untyped(createGlobTool(environment)),
    untyped(createGrepTool(environment)),
    untyped(bash),
    untyped(createTodoTool(environment)),
    untyped(createFetchUrlTool(environment)),
  ];
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), dispose: () => bash.dispose() };
}

/** The loop parses arguments with the tool's own schema before it calls `prepare`, so the type is kept by construction. */
function untyped<Arguments>(tool: Tool<Arguments>): Tool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    prepare: async (args) => tool.prepare(tool.parameters.parse(args)),
  };
}

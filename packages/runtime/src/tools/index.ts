// The tools of an agent.
import type { Tool } from "@codelia/core";
import type { Disk } from "@codelia/storage";
import { redactedTool } from "../secrets/index.ts";
import type { SessionSkills } from "../session-skills/index.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createBashTool } from "./bash.ts";
import { createEditTool } from "./edit.ts";
import type { ToolEnvironment } from "./environment.ts";
import { createFetchUrlTool } from "./fetch-url.ts";
import { createGlobTool } from "./glob.ts";
import { createGrepTool } from "./grep.ts";
import type { KeptOutputs } from "./kept-lines.ts";
import { createListTool } from "./list.ts";
import { withOwnTools } from "./own-tools.ts";
import { createReadTool } from "./read.ts";
import { createSkillLoadTool } from "./skill-load.ts";
import { createSkillSearchTool } from "./skill-search.ts";
import { createTodoTool, type TodoItem } from "./todo.ts";
import { createOutputReadTool, createOutputSearchTool } from "./tool-output.ts";
import { createWriteTool } from "./write.ts";

export { preview } from "./diff/index.ts";
export type { ToolEnvironment } from "./environment.ts";
export {
  ChangeFailure,
  changeTogether,
  inParallel,
  lendingBits,
  maxWholeFile,
  PinnedDirectory,
  type PlannedChange,
  readUpTo,
  removeLeftovers,
  specialKind,
  temporaryNameOf,
} from "./files/index.ts";
export type { KeptOutputs } from "./kept-lines.ts";
export { ToolNameTaken } from "./own-tools.ts";
export { endProcesses, Job, type JobEnd, markVariable, RecentOutput } from "./process/index.ts";
export { ReadVersions } from "./read-versions.ts";
export { loadsSkills, restrictDecision, restrictTools, type ToolRestriction } from "./restriction.ts";
export { createRipgrepLocator, listFiles } from "./search/index.ts";
export { renderTodo, type TodoItem, todoItems } from "./todo.ts";

/** Offered only where there are skills. */
export const skillTools: readonly string[] = ["skill_search", "skill_load"];

/** Tools that change nothing, wherever they are used. */
export const lookingTools: readonly string[] = [
  "read",
  "list",
  "glob",
  "grep",
  "todo",
  "tool_output_read",
  "tool_output_search",
  ...skillTools,
];

/** Every tool that an agent can have. */
export const toolNames: readonly string[] = [
  ...lookingTools,
  "write",
  "edit",
  "apply_patch",
  "bash",
  "fetch_url",
];

/** What a session brings along. */
export interface SessionTools {
  /** Whole outputs of earlier calls. */
  readonly outputs: KeptOutputs;
  /** The list of steps as it was left. */
  readonly todo: readonly TodoItem[];
  readonly skills: SessionSkills;
  readonly disk: Disk;
  /** Of the program that embeds the runtime. */
  readonly own?: readonly Tool[];
}

export interface Toolbox {
  /** By name, in the order in which the model is told of them. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly todo: { readonly items: readonly TodoItem[] };
  /** Ends whatever still runs in the background. */
  dispose(): Promise<void>;
}

/** @error ToolNameTaken when two tools have one name */
export function createToolbox(environment: ToolEnvironment, session: SessionTools): Toolbox {
  const bash = createBashTool(environment);
  const todo = createTodoTool(session.todo);
  const tools = [
    untyped(createReadTool(environment, session.disk)),
    untyped(createWriteTool(environment, session.disk)),
    untyped(createEditTool(environment, session.disk)),
    untyped(createApplyPatchTool(environment, session.disk)),
    untyped(createListTool(environment)),
    untyped(createGlobTool(environment)),
    untyped(createGrepTool(environment)),
    untyped(bash),
    untyped(todo),
    untyped(createFetchUrlTool(environment)),
    untyped(createOutputReadTool(session.outputs)),
    untyped(createOutputSearchTool(session.outputs)),
    untyped(createSkillSearchTool(session.skills)),
    untyped(createSkillLoadTool(session.skills)),
  ];
  const redacted = withOwnTools(tools, session.own ?? []).map((tool) =>
    redactedTool(tool, environment.secrets),
  );
  return { tools: new Map(redacted.map((tool) => [tool.name, tool])), todo, dispose: () => bash.dispose() };
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

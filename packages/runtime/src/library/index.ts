// Codelia as a library: a session, its runs, and tools of your own. What is not here is not public.
export {
  type ConfirmParams as Question,
  type ConfirmResult as Answer,
  ProtocolError as CodeliaError,
  type RunEvent,
} from "@codelia/protocol";
export type { ApprovalMode } from "@codelia/shared-types";
/** For the parameters of tools. */
export { z } from "zod";
export { defineTool, type OwnTool, type OwnToolAccess, type OwnToolOptions } from "./own-tool.ts";
export type { Run, RunOptions, RunResult } from "./run.ts";
export { createSession, type Session, type SessionOptions } from "./session.ts";

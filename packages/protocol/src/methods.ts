// Every method by its name on the wire, with the schemas of what goes in and what comes out.
import type { z } from "zod";
import { ConfigSetParamsSchema, ConfigSetResultSchema } from "./config-set.ts";
import {
  AgentsResolveParamsSchema,
  AgentsResolveResultSchema,
  AgentsTreeParamsSchema,
  AgentsTreeResultSchema,
  ContextInspectParamsSchema,
  ContextInspectResultSchema,
} from "./context.ts";
import { DoctorCheckParamsSchema, DoctorCheckResultSchema } from "./doctor.ts";
import { isFlowEvent, type ProtocolEvent } from "./event.ts";
import { FilesSearchParamsSchema, FilesSearchResultSchema } from "./files.ts";
import {
  FlowAgentsParamsSchema,
  FlowAgentsResultSchema,
  FlowGraphParamsSchema,
  FlowGraphResultSchema,
  FlowMigrateParamsSchema,
  FlowMigrateResultSchema,
  FlowNewParamsSchema,
  FlowNewResultSchema,
  FlowPreviewParamsSchema,
  FlowPreviewResultSchema,
  FlowValidateParamsSchema,
  FlowValidateResultSchema,
} from "./flow-definitions.ts";
import {
  FlowCancelParamsSchema,
  FlowCancelResultSchema,
  type FlowEvent,
  FlowListParamsSchema,
  FlowListResultSchema,
  FlowLogParamsSchema,
  FlowLogResultSchema,
  FlowOutcomeSchema,
  FlowResumeParamsSchema,
  FlowStartParamsSchema,
  FlowStatusParamsSchema,
  FlowStatusResultSchema,
} from "./flows.ts";
import {
  McpAddParamsSchema,
  McpAddResultSchema,
  McpApproveParamsSchema,
  McpApproveResultSchema,
  McpListParamsSchema,
  McpListResultSchema,
  McpLoginParamsSchema,
  McpLoginResultSchema,
  McpLogoutParamsSchema,
  McpLogoutResultSchema,
  McpRemoveParamsSchema,
  McpRemoveResultSchema,
  McpTestParamsSchema,
  McpTestResultSchema,
} from "./mcp.ts";
import {
  PermissionsCheckParamsSchema,
  PermissionsCheckResultSchema,
  PermissionsListParamsSchema,
  PermissionsListResultSchema,
} from "./permissions.ts";
import {
  DemoPrepareParamsSchema,
  DemoPrepareResultSchema,
  ModelsListParamsSchema,
  ModelsListResultSchema,
  ModelsSetParamsSchema,
  ModelsSetResultSchema,
  RunAcknowledgedSchema,
  RunCancelParamsSchema,
  type RunEvent,
  RunStartParamsSchema,
  RunStartResultSchema,
  RunSteerParamsSchema,
} from "./run.ts";
import { SandboxCheckParamsSchema, SandboxCheckResultSchema } from "./sandbox.ts";
import {
  SessionCompactParamsSchema,
  SessionCompactResultSchema,
  SessionDiffParamsSchema,
  SessionDiffResultSchema,
} from "./session-changes.ts";
import {
  SessionDeleteParamsSchema,
  SessionDeleteResultSchema,
  SessionExportParamsSchema,
  SessionExportResultSchema,
  SessionForkParamsSchema,
  SessionForkResultSchema,
  SessionHistoryParamsSchema,
  SessionHistoryResultSchema,
  SessionListParamsSchema,
  SessionListResultSchema,
  SessionOpenParamsSchema,
  SessionOpenResultSchema,
  SessionPrepareParamsSchema,
  SessionPrepareResultSchema,
  SessionSearchParamsSchema,
  SessionSearchResultSchema,
  SessionUndoParamsSchema,
  SessionUndoResultSchema,
} from "./sessions.ts";
import {
  ConfigInspectParamsSchema,
  ConfigInspectResultSchema,
  TrustAddResultSchema,
  TrustListParamsSchema,
  TrustListResultSchema,
  TrustParamsSchema,
  TrustRemoveResultSchema,
} from "./settings.ts";
import {
  SkillsListParamsSchema,
  SkillsListResultSchema,
  SkillsNewParamsSchema,
  SkillsNewResultSchema,
  SkillsSearchParamsSchema,
  SkillsSearchResultSchema,
  SkillsSetEnabledParamsSchema,
  SkillsSetEnabledResultSchema,
  SkillsShowParamsSchema,
  SkillsShowResultSchema,
  SkillsValidateParamsSchema,
  SkillsValidateResultSchema,
} from "./skills.ts";
import type { Ask } from "./ui.ts";
import {
  WorktreesListParamsSchema,
  WorktreesListResultSchema,
  WorktreesPruneParamsSchema,
  WorktreesPruneResultSchema,
  WorktreesUnlockParamsSchema,
  WorktreesUnlockResultSchema,
} from "./worktrees.ts";

export const methods = {
  "context.inspect": { params: ContextInspectParamsSchema, result: ContextInspectResultSchema },
  "agents.resolve": { params: AgentsResolveParamsSchema, result: AgentsResolveResultSchema },
  "agents.tree": { params: AgentsTreeParamsSchema, result: AgentsTreeResultSchema },
  "config.inspect": { params: ConfigInspectParamsSchema, result: ConfigInspectResultSchema },
  "config.set": { params: ConfigSetParamsSchema, result: ConfigSetResultSchema },
  "trust.add": { params: TrustParamsSchema, result: TrustAddResultSchema },
  "trust.remove": { params: TrustParamsSchema, result: TrustRemoveResultSchema },
  "trust.list": { params: TrustListParamsSchema, result: TrustListResultSchema },
  "run.start": { params: RunStartParamsSchema, result: RunStartResultSchema },
  "run.steer": { params: RunSteerParamsSchema, result: RunAcknowledgedSchema },
  "run.cancel": { params: RunCancelParamsSchema, result: RunAcknowledgedSchema },
  "session.prepare": { params: SessionPrepareParamsSchema, result: SessionPrepareResultSchema },
  "session.list": { params: SessionListParamsSchema, result: SessionListResultSchema },
  "session.open": { params: SessionOpenParamsSchema, result: SessionOpenResultSchema },
  "session.fork": { params: SessionForkParamsSchema, result: SessionForkResultSchema },
  "session.export": { params: SessionExportParamsSchema, result: SessionExportResultSchema },
  "session.history": { params: SessionHistoryParamsSchema, result: SessionHistoryResultSchema },
  "session.search": { params: SessionSearchParamsSchema, result: SessionSearchResultSchema },
  "session.delete": { params: SessionDeleteParamsSchema, result: SessionDeleteResultSchema },
  "session.undo": { params: SessionUndoParamsSchema, result: SessionUndoResultSchema },
  "session.diff": { params: SessionDiffParamsSchema, result: SessionDiffResultSchema },
  "session.compact": { params: SessionCompactParamsSchema, result: SessionCompactResultSchema },
  "files.search": { params: FilesSearchParamsSchema, result: FilesSearchResultSchema },
  "skills.list": { params: SkillsListParamsSchema, result: SkillsListResultSchema },
  "skills.search": { params: SkillsSearchParamsSchema, result: SkillsSearchResultSchema },
  "skills.show": { params: SkillsShowParamsSchema, result: SkillsShowResultSchema },
  "skills.validate": { params: SkillsValidateParamsSchema, result: SkillsValidateResultSchema },
  "skills.set_enabled": { params: SkillsSetEnabledParamsSchema, result: SkillsSetEnabledResultSchema },
  "skills.new": { params: SkillsNewParamsSchema, result: SkillsNewResultSchema },
  "flow.agents": { params: FlowAgentsParamsSchema, result: FlowAgentsResultSchema },
  "flow.validate": { params: FlowValidateParamsSchema, result: FlowValidateResultSchema },
  "flow.graph": { params: FlowGraphParamsSchema, result: FlowGraphResultSchema },
  "flow.new": { params: FlowNewParamsSchema, result: FlowNewResultSchema },
  "flow.preview": { params: FlowPreviewParamsSchema, result: FlowPreviewResultSchema },
  "flow.migrate": { params: FlowMigrateParamsSchema, result: FlowMigrateResultSchema },
  "models.list": { params: ModelsListParamsSchema, result: ModelsListResultSchema },
  "models.set": { params: ModelsSetParamsSchema, result: ModelsSetResultSchema },
  "mcp.list": { params: McpListParamsSchema, result: McpListResultSchema },
  "mcp.add": { params: McpAddParamsSchema, result: McpAddResultSchema },
  "mcp.remove": { params: McpRemoveParamsSchema, result: McpRemoveResultSchema },
  "mcp.test": { params: McpTestParamsSchema, result: McpTestResultSchema },
  "mcp.approve": { params: McpApproveParamsSchema, result: McpApproveResultSchema },
  "mcp.login": { params: McpLoginParamsSchema, result: McpLoginResultSchema },
  "mcp.logout": { params: McpLogoutParamsSchema, result: McpLogoutResultSchema },
  "permissions.check": { params: PermissionsCheckParamsSchema, result: PermissionsCheckResultSchema },
  "permissions.list": { params: PermissionsListParamsSchema, result: PermissionsListResultSchema },
  "sandbox.check": { params: SandboxCheckParamsSchema, result: SandboxCheckResultSchema },
  "doctor.check": { params: DoctorCheckParamsSchema, result: DoctorCheckResultSchema },
  "flow.start": { params: FlowStartParamsSchema, result: FlowOutcomeSchema },
  "flow.resume": { params: FlowResumeParamsSchema, result: FlowOutcomeSchema },
  "flow.status": { params: FlowStatusParamsSchema, result: FlowStatusResultSchema },
  "flow.list": { params: FlowListParamsSchema, result: FlowListResultSchema },
  "flow.log": { params: FlowLogParamsSchema, result: FlowLogResultSchema },
  "flow.cancel": { params: FlowCancelParamsSchema, result: FlowCancelResultSchema },
  "worktrees.list": { params: WorktreesListParamsSchema, result: WorktreesListResultSchema },
  "worktrees.prune": { params: WorktreesPruneParamsSchema, result: WorktreesPruneResultSchema },
  "worktrees.unlock": { params: WorktreesUnlockParamsSchema, result: WorktreesUnlockResultSchema },
  "demo.prepare": { params: DemoPrepareParamsSchema, result: DemoPrepareResultSchema },
} as const;

export type Method = keyof typeof methods;
export type Params<M extends Method> = z.infer<(typeof methods)[M]["params"]>;
export type Result<M extends Method> = z.infer<(typeof methods)[M]["result"]>;

/** What the caller of a method can be told and asked while it works. */
export interface Channel {
  readonly emit: (event: ProtocolEvent) => void;
  /** Absent, these three: there is nobody to ask. */
  readonly confirm: Ask<"ui.confirm"> | undefined;
  readonly pick?: Ask<"ui.pick"> | undefined;
  readonly prompt?: Ask<"ui.prompt"> | undefined;
  /** Aborted when the caller wants no more of it, or is gone. What runs for long ends then, and says so in its result. */
  readonly signal?: AbortSignal | undefined;
  /** Returns when the caller has taken enough of what it was told. Absent: it takes everything at once. */
  readonly room?: ((signal?: AbortSignal) => Promise<void>) | undefined;
}

/** What the runtime offers: a function a method. Failures are thrown as ProtocolError. */
export type Handlers = {
  readonly [M in Method]: (params: Params<M>, channel: Channel) => Promise<Result<M>>;
};

/** Flows tell of themselves, every other method of a run. */
export type EventOf<M extends Method> = M extends "flow.start" | "flow.resume" ? FlowEvent : RunEvent;

/** A caller's end of a channel: what it does not give is not told or asked. */
export interface CallChannel<M extends Method> extends Partial<Omit<Channel, "emit">> {
  readonly emit?: (event: EventOf<M>) => void;
}

/** What a face holds. */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>, channel?: CallChannel<M>): Promise<Result<M>>;
}

/** The server's end of a call's channel. An event that the method does not tell is a defect of the server, and dropped. */
export function emitTo<M extends Method>(method: M, { emit }: CallChannel<M>): Channel["emit"] {
  return (event) => {
    if (isEventOf(method, event)) emit?.(event);
  };
}

function isEventOf<M extends Method>(method: M, event: ProtocolEvent): event is EventOf<M> & ProtocolEvent {
  return isFlowEvent(event) === (method === "flow.start" || method === "flow.resume");
}

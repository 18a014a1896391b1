// Every method by its name on the wire, with the schemas of what goes in and what comes out.
import type { z } from "zod";
import {
  AgentsTreeParamsSchema,
  AgentsTreeResultSchema,
  ContextInspectParamsSchema,
  ContextInspectResultSchema,
} from "./context.ts";
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
  PermissionsCheckParamsSchema,
  PermissionsCheckResultSchema,
  PermissionsListParamsSchema,
  PermissionsListResultSchema,
} from "./permissions.ts";
import {
  type ConfirmParams,
  type ConfirmResult,
  DemoPrepareParamsSchema,
  DemoPrepareResultSchema,
  ModelsListParamsSchema,
  ModelsListResultSchema,
  RunAcknowledgedSchema,
  RunCancelParamsSchema,
  type RunEvent,
  RunStartParamsSchema,
  RunStartResultSchema,
  RunSteerParamsSchema,
} from "./run.ts";
import { SandboxCheckParamsSchema, SandboxCheckResultSchema } from "./sandbox.ts";
import {
  SessionDeleteParamsSchema,
  SessionDeleteResultSchema,
  SessionHistoryParamsSchema,
  SessionHistoryResultSchema,
  SessionListParamsSchema,
  SessionListResultSchema,
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
  "agents.tree": { params: AgentsTreeParamsSchema, result: AgentsTreeResultSchema },
  "config.inspect": { params: ConfigInspectParamsSchema, result: ConfigInspectResultSchema },
  "trust.add": { params: TrustParamsSchema, result: TrustAddResultSchema },
  "trust.remove": { params: TrustParamsSchema, result: TrustRemoveResultSchema },
  "trust.list": { params: TrustListParamsSchema, result: TrustListResultSchema },
  "run.start": { params: RunStartParamsSchema, result: RunStartResultSchema },
  "run.steer": { params: RunSteerParamsSchema, result: RunAcknowledgedSchema },
  "run.cancel": { params: RunCancelParamsSchema, result: RunAcknowledgedSchema },
  "session.list": { params: SessionListParamsSchema, result: SessionListResultSchema },
  "session.history": { params: SessionHistoryParamsSchema, result: SessionHistoryResultSchema },
  "session.search": { params: SessionSearchParamsSchema, result: SessionSearchResultSchema },
  "session.delete": { params: SessionDeleteParamsSchema, result: SessionDeleteResultSchema },
  "session.undo": { params: SessionUndoParamsSchema, result: SessionUndoResultSchema },
  "skills.list": { params: SkillsListParamsSchema, result: SkillsListResultSchema },
  "skills.search": { params: SkillsSearchParamsSchema, result: SkillsSearchResultSchema },
  "skills.show": { params: SkillsShowParamsSchema, result: SkillsShowResultSchema },
  "skills.validate": { params: SkillsValidateParamsSchema, result: SkillsValidateResultSchema },
  "skills.set_enabled": { params: SkillsSetEnabledParamsSchema, result: SkillsSetEnabledResultSchema },
  "skills.new": { params: SkillsNewParamsSchema, result: SkillsNewResultSchema },
  "models.list": { params: ModelsListParamsSchema, result: ModelsListResultSchema },
  "permissions.check": { params: PermissionsCheckParamsSchema, result: PermissionsCheckResultSchema },
  "permissions.list": { params: PermissionsListParamsSchema, result: PermissionsListResultSchema },
  "sandbox.check": { params: SandboxCheckParamsSchema, result: SandboxCheckResultSchema },
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

/** What a method tells while it works. */
export type ProtocolEvent = RunEvent | FlowEvent;

export function isFlowEvent(event: ProtocolEvent): event is FlowEvent {
  return event.type.startsWith("flow.");
}

/** What the caller of a method can be told and asked while it works. */
export interface Channel {
  readonly emit: (event: ProtocolEvent) => void;
  /** Absent: there is nobody to ask. */
  readonly confirm: ((params: ConfirmParams) => Promise<ConfirmResult>) | undefined;
}

/** What the runtime offers: a function a method. Failures are thrown as ProtocolError. */
export type Handlers = {
  readonly [M in Method]: (params: Params<M>, channel: Channel) => Promise<Result<M>>;
};

/** What a face holds. */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>, channel?: Partial<Channel>): Promise<Result<M>>;
}

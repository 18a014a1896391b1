// Every method by its name on the wire, with the schemas of what goes in and what comes out.
import type { z } from "zod";
import { ConfigSetParamsSchema, ConfigSetResultSchema } from "./config-set.ts";
import {
  AgentsTreeParamsSchema,
  AgentsTreeResultSchema,
  ContextInspectParamsSchema,
  ContextInspectResultSchema,
} from "./context.ts";
import { FilesSearchParamsSchema, FilesSearchResultSchema } from "./files.ts";
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
  SessionCompactParamsSchema,
  SessionCompactResultSchema,
  SessionDiffParamsSchema,
  SessionDiffResultSchema,
} from "./session-changes.ts";
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

export const methods = {
  "context.inspect": { params: ContextInspectParamsSchema, result: ContextInspectResultSchema },
  "agents.tree": { params: AgentsTreeParamsSchema, result: AgentsTreeResultSchema },
  "config.inspect": { params: ConfigInspectParamsSchema, result: ConfigInspectResultSchema },
  "config.set": { params: ConfigSetParamsSchema, result: ConfigSetResultSchema },
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
  "session.diff": { params: SessionDiffParamsSchema, result: SessionDiffResultSchema },
  "session.compact": { params: SessionCompactParamsSchema, result: SessionCompactResultSchema },
  "files.search": { params: FilesSearchParamsSchema, result: FilesSearchResultSchema },
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
  "demo.prepare": { params: DemoPrepareParamsSchema, result: DemoPrepareResultSchema },
} as const;

export type Method = keyof typeof methods;
export type Params<M extends Method> = z.infer<(typeof methods)[M]["params"]>;
export type Result<M extends Method> = z.infer<(typeof methods)[M]["result"]>;

/** What the caller of a method can be told and asked while it works. */
export interface Channel {
  readonly emit: (event: RunEvent) => void;
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

// Every method by its name on the wire, with the schemas of what goes in and what comes out.
import type { z } from "zod";
import {
  AgentsTreeParamsSchema,
  AgentsTreeResultSchema,
  ContextInspectParamsSchema,
  ContextInspectResultSchema,
} from "./context.ts";
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
import {
  ConfigInspectParamsSchema,
  ConfigInspectResultSchema,
  TrustAddResultSchema,
  TrustListParamsSchema,
  TrustListResultSchema,
  TrustParamsSchema,
  TrustRemoveResultSchema,
} from "./settings.ts";

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
  "models.list": { params: ModelsListParamsSchema, result: ModelsListResultSchema },
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

import {
  RunAcknowledgedSchema,
  RunCancelParamsSchema,
  RunStartParamsSchema,
  RunStartResultSchema,
  RunSteerParamsSchema,
} from "../run.ts";

export const runMethods = {
  "run.start": { params: RunStartParamsSchema, result: RunStartResultSchema },
  "run.steer": { params: RunSteerParamsSchema, result: RunAcknowledgedSchema },
  "run.cancel": { params: RunCancelParamsSchema, result: RunAcknowledgedSchema },
} as const;

import { DemoPrepareParamsSchema, DemoPrepareResultSchema } from "../run.ts";

export const demoMethods = {
  "demo.prepare": { params: DemoPrepareParamsSchema, result: DemoPrepareResultSchema },
} as const;

import {
  ModelsListParamsSchema,
  ModelsListResultSchema,
  ModelsSetParamsSchema,
  ModelsSetResultSchema,
} from "../run.ts";

export const modelsMethods = {
  "models.list": { params: ModelsListParamsSchema, result: ModelsListResultSchema },
  "models.set": { params: ModelsSetParamsSchema, result: ModelsSetResultSchema },
} as const;

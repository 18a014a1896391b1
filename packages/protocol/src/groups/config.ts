import { ConfigSetParamsSchema, ConfigSetResultSchema } from "../config-set.ts";
import { ConfigInspectParamsSchema, ConfigInspectResultSchema } from "../settings.ts";

export const configMethods = {
  "config.inspect": { params: ConfigInspectParamsSchema, result: ConfigInspectResultSchema },
  "config.set": { params: ConfigSetParamsSchema, result: ConfigSetResultSchema },
} as const;

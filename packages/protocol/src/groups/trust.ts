import {
  TrustAddResultSchema,
  TrustListParamsSchema,
  TrustListResultSchema,
  TrustParamsSchema,
  TrustRemoveResultSchema,
} from "../settings.ts";

export const trustMethods = {
  "trust.add": { params: TrustParamsSchema, result: TrustAddResultSchema },
  "trust.remove": { params: TrustParamsSchema, result: TrustRemoveResultSchema },
  "trust.list": { params: TrustListParamsSchema, result: TrustListResultSchema },
} as const;

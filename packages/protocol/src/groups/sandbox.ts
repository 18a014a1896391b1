import { SandboxCheckParamsSchema, SandboxCheckResultSchema } from "../sandbox.ts";

export const sandboxMethods = {
  "sandbox.check": { params: SandboxCheckParamsSchema, result: SandboxCheckResultSchema },
} as const;

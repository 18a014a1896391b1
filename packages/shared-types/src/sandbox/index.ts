import type { z } from "zod";
import type { SandboxSettingsSchema } from "./schema.ts";

export * from "./schema.ts";

export type SandboxSettings = z.infer<typeof SandboxSettingsSchema>;

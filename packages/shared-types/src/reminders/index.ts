import type { z } from "zod";
import type { SystemReminderTypeSchema } from "./schema.ts";

export * from "./schema.ts";

export type SystemReminderType = z.infer<typeof SystemReminderTypeSchema>;

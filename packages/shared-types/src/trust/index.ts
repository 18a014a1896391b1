import type { z } from "zod";
import type { TrustedProjectSchema } from "./schema.ts";

export * from "./schema.ts";

export type TrustedProject = z.infer<typeof TrustedProjectSchema>;

import type { z } from "zod";
import type { TuiActionSchema, TuiSettingsSchema, TuiThemeSchema } from "./schema.ts";

export * from "./schema.ts";

export type TuiAction = z.infer<typeof TuiActionSchema>;
export type TuiTheme = z.infer<typeof TuiThemeSchema>;
export type TuiSettings = z.infer<typeof TuiSettingsSchema>;

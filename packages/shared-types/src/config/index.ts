import type { z } from "zod";
import type {
  ConfigLayerSchema,
  ConfigSchema,
  ConfigSourceSchema,
  SettingFlagSchema,
  SettingsSchema,
} from "./schema.ts";

export * from "./schema.ts";

export type Config = z.infer<typeof ConfigSchema>;
export type Settings = z.infer<typeof SettingsSchema>;
export type SettingFlag = z.infer<typeof SettingFlagSchema>;
export type ConfigLayer = z.infer<typeof ConfigLayerSchema>;
export type ConfigSource = z.infer<typeof ConfigSourceSchema>;

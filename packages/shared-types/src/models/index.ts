import type { z } from "zod";
import type {
  ModelsConfigSchema,
  ModelsSettingsSchema,
  PriceOverridesSchema,
  PriceSchema,
  ProviderConfigSchema,
  ProviderKindSchema,
  ProvidersConfigSchema,
} from "./config-schema.ts";
import type {
  FinishReasonSchema,
  ModelFailureSchema,
  ModelRequestSchema,
  StreamPartSchema,
  ToolDefinitionSchema,
  UsageSchema,
} from "./schema.ts";

export * from "./config-schema.ts";
export * from "./schema.ts";

export type ProviderKind = z.infer<typeof ProviderKindSchema>;
export type ProvidersConfig = z.infer<typeof ProvidersConfigSchema>;
export type PriceOverrides = z.infer<typeof PriceOverridesSchema>;
export type ProviderConfig = z.infer<typeof ProviderConfigSchema>;
export type Price = z.infer<typeof PriceSchema>;
export type ModelsSettings = z.infer<typeof ModelsSettingsSchema>;
export type ModelsConfig = z.infer<typeof ModelsConfigSchema>;

export type ToolDefinition = z.infer<typeof ToolDefinitionSchema>;
export type ModelRequest = z.infer<typeof ModelRequestSchema>;
export type Usage = z.infer<typeof UsageSchema>;
export type ModelFailure = z.infer<typeof ModelFailureSchema>;
export type FinishReason = z.infer<typeof FinishReasonSchema>;
export type StreamPart = z.infer<typeof StreamPartSchema>;

/** A model, ready to be asked. */
export interface ModelConnection {
  /** `provider/model`. */
  readonly id: string;
  /** Tokens that fit, where it is known. */
  readonly contextWindow: number | undefined;
  /**
   * @output ends with exactly one `finish` or `failure`; never throws
   * @effects one request; `signal` ends it at any byte, with a failure of kind Aborted
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamPart>;
}

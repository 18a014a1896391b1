// What config.json may hold, and the settings that result from all layers together.
import { z } from "zod";
import { AgentsConfigSchema, AgentsSettingsSchema } from "../agents/index.ts";
import { IssuesConfigSchema, IssuesSettingsSchema } from "../issues/index.ts";
import { McpConfigSchema, McpSettingsSchema } from "../mcp/index.ts";
import { ModelsConfigSchema, ModelsSettingsSchema } from "../models/index.ts";
import { PermissionsConfigSchema, PermissionsSettingsSchema } from "../permissions/index.ts";
import { SandboxConfigSchema, SandboxSettingsSchema } from "../sandbox/index.ts";
import { SkillsConfigSchema, SkillsSettingsSchema } from "../skills/index.ts";
import { TuiConfigSchema, TuiSettingsSchema } from "../tui/index.ts";

const context = z.strictObject({
  compactAt: z
    .number()
    .min(0.1)
    .max(1)
    .describe("The share of the model's window at which the conversation is compacted."),
});

export const ConfigSchema = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds the schema of this file."),
  agents: AgentsConfigSchema.optional().describe("How AGENTS.md files are found and loaded."),
  models: ModelsConfigSchema.optional().describe("Which models are used, and how they are reached."),
  context: context.partial().optional().describe("How the conversation is kept within the model's window."),
  mcp: McpConfigSchema.optional().describe("Servers of tools, resources and prompts."),
  permissions: PermissionsConfigSchema.optional().describe(
    "What tools may do without a question, and never.",
  ),
  sandbox: SandboxConfigSchema.optional().describe("What commands may read, write, reach and use up."),
  skills: SkillsConfigSchema.optional().describe(
    "Which skills there are, and how the model is told of them.",
  ),
  tui: TuiConfigSchema.optional().describe("How the terminal UI looks, and its keys."),
  issues: IssuesConfigSchema.optional().describe("Where issues are, and what is done when work on one ends."),
});

export const SettingsSchema = z.strictObject({
  agents: AgentsSettingsSchema,
  models: ModelsSettingsSchema,
  context,
  mcp: McpSettingsSchema,
  permissions: PermissionsSettingsSchema,
  sandbox: SandboxSettingsSchema,
  skills: SkillsSettingsSchema,
  tui: TuiSettingsSchema,
  issues: IssuesSettingsSchema,
});

/** A setting given on the command line. */
export const SettingFlagSchema = z.strictObject({
  /** As the user wrote it, for messages. */
  written: z.string(),
  key: z.string(),
  value: z.unknown(),
});

/** Where a value came from, lowest layer first. */
export const ConfigLayerSchema = z.enum(["default", "user", "project", "environment", "flag"]);

export const ConfigSourceSchema = z.strictObject({
  layer: ConfigLayerSchema,
  /** The file, the variable's name or the flag as it was written. */
  name: z.string().optional(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
});

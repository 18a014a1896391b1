// `mcp.*`: MCP servers as they are configured and approved.
import { McpServerConfigSchema, McpServerNameSchema } from "@codelia/shared-types";
import { z } from "zod";

const cwd = z.string();
const name = z.string();
const notices = z.array(z.string());

export const McpServerWireSchema = z.strictObject({
  name,
  /** Whose file names it. */
  scope: z.enum(["user", "project"]),
  transport: z.enum(["stdio", "http"]),
  /** The command or the address. */
  launch: z.string(),
  /** What it is given beyond that, in words. */
  grants: z.array(z.string()),
  state: z.enum(["approved", "unapproved", "changed", "disabled", "unusable"]),
  /** Why it is not used. */
  reason: z.string().optional(),
  /** How many tools were approved. */
  tools: z.number().optional(),
  approved_at: z.string().optional(),
  /** For a server on the network that was logged in to. */
  logged_in: z.boolean().optional(),
});

export type McpServerWire = z.infer<typeof McpServerWireSchema>;

export const McpToolWireSchema = z.strictObject({
  name,
  /** As models and rules know it. */
  offered_as: z.string(),
  description: z.string(),
});

const values = z.record(z.string(), z.string());

/** A server that the client has of its own, such as an editor. One that cannot be used is told of by a notice. */
export const ClientServerSchema = z.union([
  z.strictObject({
    name,
    command: z.string(),
    args: z.array(z.string()),
    /** For the server alone: values are kept out of everything that is written. */
    env: values,
  }),
  z.strictObject({
    name,
    /** Of a Streamable HTTP server. */
    url: z.string(),
    /** As with `env`. */
    headers: values,
  }),
]);

export type ClientServer = z.infer<typeof ClientServerSchema>;

export const McpListParamsSchema = z.strictObject({ cwd });
export const McpListResultSchema = z.strictObject({ servers: z.array(McpServerWireSchema), notices });

export const McpAddParamsSchema = z.strictObject({
  cwd,
  name: McpServerNameSchema,
  scope: z.enum(["user", "project"]),
  /** As config.json has it. */
  server: McpServerConfigSchema,
});
export const McpAddResultSchema = z.strictObject({
  name,
  file: z.string(),
  /** false: it was there already, exactly so. */
  changed: z.boolean(),
  /** There was another one under this name, which is gone now. */
  replaced: z.boolean(),
  notices,
});

export const McpRemoveParamsSchema = z.strictObject({ cwd, name, scope: z.enum(["user", "project"]) });
export const McpRemoveResultSchema = z.strictObject({ name, file: z.string(), notices });

export const McpTestParamsSchema = z.strictObject({ cwd, name });
export const McpTestResultSchema = z.strictObject({
  server: McpServerWireSchema,
  duration_ms: z.number(),
  tools: z.array(McpToolWireSchema),
  resources: z.array(z.string()),
  prompts: z.array(z.string()),
  /** What differs from what was approved; absent: nothing, or nothing was approved. */
  change: z.string().optional(),
  notices,
});

export const McpApproveParamsSchema = z.strictObject({ cwd, name, revoke: z.boolean() });
export const McpApproveResultSchema = z.strictObject({
  /** Absent: the approval that was taken back was of a server that a client brought. */
  server: McpServerWireSchema.optional(),
  tools: z.array(McpToolWireSchema),
  notices,
});

export const McpLoginParamsSchema = z.strictObject({
  cwd,
  name,
  timeout_seconds: z.number().positive().optional(),
});
export const McpLoginResultSchema = z.strictObject({
  name,
  /** false: the server wants none. */
  needed: z.boolean(),
});

export const McpLogoutParamsSchema = z.strictObject({ cwd, name });
export const McpLogoutResultSchema = z.strictObject({ name, changed: z.boolean() });

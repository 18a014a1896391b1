// `permissions.*`: what a call would be decided to be, and the rules in force.
import { ApprovalModeSchema, DecidingRuleSchema, PermissionRuleSchema } from "@codelia/shared-types";
import { z } from "zod";

export const PermissionsCheckParamsSchema = z.strictObject({
  cwd: z.string(),
  approval: ApprovalModeSchema,
  call: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("command"), command: z.string() }),
    /** A tool that names files; relative paths count from cwd. */
    z.strictObject({
      kind: z.enum(["read", "write"]),
      tool: z.string(),
      paths: z.array(z.string()),
    }),
    z.strictObject({ kind: z.literal("network"), url: z.string() }),
    z.strictObject({ kind: z.literal("skill"), name: z.string() }),
    /** A tool of an MCP server, by the name that models know it by. */
    z.strictObject({ kind: z.literal("mcp"), server: z.string(), tool: z.string() }),
  ]),
});

export const PermissionsCheckResultSchema = z.strictObject({
  decision: z.enum(["allow", "confirm", "deny"]),
  /** Absent for `confirm`: nobody has decided yet. */
  by: z.enum(["rule", "mode"]).optional(),
  reason: z.string(),
  rule: DecidingRuleSchema.optional(),
  /** For `confirm`: rules in the user's `permissions.allow` that would allow it. Empty: no rule would. */
  would_allow: z.array(PermissionRuleSchema),
  /** The programs that a command can reach, through wrappers too. */
  programs: z.array(z.string()),
  /** Why a command cannot be told by its words alone. */
  obstacles: z.array(z.string()),
  /** A command's parse for people, a line each. */
  parse: z.array(z.string()),
  notices: z.array(z.string()),
});

export const PermissionsListParamsSchema = z.strictObject({ cwd: z.string() });

export const PermissionsListResultSchema = z.strictObject({
  /** In the order in which they are looked at: deny before allow. */
  rules: z.array(DecidingRuleSchema),
  /** Written by the project, and not its to decide. */
  refused: z.array(DecidingRuleSchema),
  /** Programs that only look, when their flags do too: no question while the sandbox is in force. */
  safe_programs: z.array(z.string()),
  notices: z.array(z.string()),
});

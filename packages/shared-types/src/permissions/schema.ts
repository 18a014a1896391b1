// Permission rules as they stand in config.json: what is allowed without a question, and what is never done.
import { z } from "zod";

/** What tools may do without a question, beyond the rules. */
export const ApprovalModeSchema = z.enum(["ask", "auto-edit", "full"]);

const text = z.string().min(1);

export const PermissionRuleSchema = z
  .strictObject({
    tool: text.optional().describe("The tool. Left out: every tool that the other fields can speak of."),
    command: text
      .optional()
      .describe(
        'For bash: a program, or a program with its first words: "rm", "git push". It holds whatever follows.',
      ),
    command_glob: text
      .optional()
      .describe(
        'For bash: all words of a command, joined by a space; * stands for any text: "npm run test:*".',
      ),
    path_glob: text
      .optional()
      .describe(
        "For tools that name files: below the project's root, absolute, or from ~/. * and ? stay within a name, ** does not.",
      ),
    skill_name: text.optional().describe("For skill_load: the skill's exact name."),
    server: text.optional().describe("For tools of an MCP server: its name."),
    match: z.array(text).optional().describe("Examples that the rule must cover; checked when it is loaded."),
    not_match: z.array(text).optional().describe("Examples that it must not cover."),
  })
  .refine((rule) => Object.keys(rule).some((key) => key !== "match" && key !== "not_match"), {
    error: "a rule needs at least one of tool, command, command_glob, path_glob, skill_name, server",
  });

const shape = {
  allow: z
    .array(PermissionRuleSchema)
    .describe("What needs no question. A project's own file cannot add to it."),
  deny: z
    .array(PermissionRuleSchema)
    .describe("What is never done, in every approval mode. The files' lists add up."),
};

export const PermissionsSettingsSchema = z.strictObject(shape);
export const PermissionsConfigSchema = z.strictObject(shape).partial();

/** The rule behind a decision, and where it was written. */
export const DecidingRuleSchema = z.strictObject({
  effect: z.enum(["allow", "deny"]),
  scope: z.enum(["user", "project", "environment", "flag", "session"]),
  rule: PermissionRuleSchema,
  /** `config.json:12:5`, when it stands in a file; a flag as it was written. */
  source: z.string().optional(),
  /** In scope `session`: the one call that it covers, as JSON. */
  call: z.string().optional(),
});

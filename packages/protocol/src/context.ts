// `context.inspect` and `agents.tree`: which instructions an agent gets, and why.
import { AgentsFileKindSchema, AgentsSkipReasonSchema } from "@codelia/shared-types";
import { z } from "zod";
import { SkillsContextSchema } from "./skills.ts";

const skip = z.strictObject({
  path: z.string(),
  reason: AgentsSkipReasonSchema,
  detail: z.string().optional(),
});

const file = z.strictObject({
  path: z.string(),
  kind: AgentsFileKindSchema,
  status: z.enum(["whole", "cut", "omitted"]),
  total_bytes: z.number(),
  kept_bytes: z.number(),
  sha256: z.string(),
  mtime_ms: z.number(),
  neutralised_tags: z.number(),
});

const trust = z.strictObject({
  state: z.enum(["trusted", "trusted_for_this_run", "untrusted"]),
  identity: z.string(),
  trusted_at: z.string().optional(),
});

const root = z.strictObject({
  path: z.string(),
  rule: z.enum(["override", "marker", "cwd"]),
  marker: z.string().optional(),
  /** Where the override was written. */
  override_source: z.string().optional(),
});

const resolved = {
  path: z.string(),
  exists: z.boolean(),
  files: z.array(z.strictObject({ path: z.string(), mtime_ms: z.number(), size_bytes: z.number() })),
  pending: z.number(),
  skipped: z.array(skip),
  /** What would be appended to the tool's result; absent when there is nothing to say. */
  reminder: z.string().optional(),
};

/** Which further files apply to a path that a tool call might name, in a session that starts in `cwd`. */
export const AgentsResolveParamsSchema = z.strictObject({ cwd: z.string(), path: z.string() });
export const AgentsResolveResultSchema = z.strictObject({ ...resolved, notices: z.array(z.string()) });

export const ContextInspectParamsSchema = z.strictObject({
  cwd: z.string(),
  /** A path that a tool call might name. */
  path: z.string().optional(),
  /** Looks at the skills too. */
  include_skills: z.boolean().optional(),
  /** false: without the instructions, and without reading them: `agents` has the settings alone. */
  include_agents: z.boolean().optional(),
});

export const ContextInspectResultSchema = z.strictObject({
  cwd: z.string(),
  root,
  trust,
  agents: z.strictObject({
    enabled: z.boolean(),
    role: z.enum(["system", "user"]),
    max_bytes: z.number(),
    max_files: z.number(),
    files: z.array(file),
    skipped: z.array(skip),
    /** The exact message; absent when nothing is sent. */
    text: z.string().optional(),
  }),
  resolve: z.strictObject(resolved).optional(),
  skills: SkillsContextSchema.optional(),
  notices: z.array(z.string()),
});

export const AgentsTreeParamsSchema = z.strictObject({ cwd: z.string(), path: z.string().optional() });

export const AgentsTreeResultSchema = z.strictObject({
  root: z.string(),
  trust,
  home_bytes: z.number(),
  max_bytes: z.number(),
  /** Directories that hold a file, parents before children, siblings by name. */
  directories: z.array(
    z.strictObject({
      path: z.string(),
      file: z.string(),
      kind: AgentsFileKindSchema,
      own_bytes: z.number(),
      /** Bytes of the project's files from the root to here, this one included. */
      inherited_bytes: z.number(),
    }),
  ),
  skipped: z.array(skip),
  visited_directories: z.number(),
  /** Not the whole tree was looked at. */
  truncated: z.boolean(),
  notices: z.array(z.string()),
});

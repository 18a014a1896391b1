// Skills: folders with a SKILL.md. A catalog is light; a body is loaded when it is needed.
import { z } from "zod";

export const SkillScopeSchema = z.enum(["repo", "user"]);

/** ASCII words joined by single hyphens. */
export const skillNamePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const SkillMetadataSchema = z.strictObject({
  /** A hash of the real path: the same in every session. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Absolute path of SKILL.md, as it was discovered. */
  path: z.string(),
  /** The skill's own directory; relative paths in the skill start here. */
  dir: z.string(),
  scope: SkillScopeSchema,
  mtimeMs: z.number(),
});

export const SkillLoadErrorSchema = z.strictObject({
  path: z.string(),
  message: z.string(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
  /** What to write instead. */
  fix: z.string().optional(),
});

export const SkillCatalogSchema = z.strictObject({
  /** Repo before user, then by name, then by path. */
  skills: z.array(SkillMetadataSchema),
  errors: z.array(SkillLoadErrorSchema),
  /** Something was left out by a limit; `errors` says what. */
  truncated: z.boolean(),
});

export const SkillSearchReasonSchema = z.enum(["exact_path", "exact_name", "prefix", "token_overlap"]);

export const SkillSearchResultSchema = z.strictObject({
  skill: SkillMetadataSchema,
  score: z.number(),
  reason: SkillSearchReasonSchema,
});

/** A skill whose body the model was given, in the version it was given. */
export const LoadedSkillSchema = z.strictObject({
  name: z.string(),
  /** Real path of its SKILL.md. */
  path: z.string(),
  mtimeMs: z.number(),
  sha256: z.string(),
  /** Where the whole text is kept, for tool_output_read. */
  ref: z.string(),
});

const count = z.number().int();

const initial = z.strictObject({
  maxEntries: count
    .nonnegative()
    .describe("At most this many skills in the catalog that the model is given."),
  maxBytes: count.nonnegative().describe("At most this many bytes for that catalog; 0: no catalog."),
});

const search = z.strictObject({
  defaultLimit: count.positive().describe("Results of a search that names no limit."),
  maxLimit: count.positive().describe("Results of a search at most."),
});

const shape = {
  enabled: z.boolean().describe("false: no skill is looked for."),
  initial,
  search,
  disabled: z
    .array(z.string().min(1))
    .describe("Skills that are neither listed, found nor loaded: by name, or by the path of SKILL.md."),
};

export const SkillsSettingsSchema = z.strictObject(shape);

export const SkillsConfigSchema = z
  .strictObject({ ...shape, initial: initial.partial(), search: search.partial() })
  .partial();

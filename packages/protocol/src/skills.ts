// `skills.*`: which skills there are, what is in them and wrong with them, and what can be done with them.
import { SkillScopeSchema, SkillSearchReasonSchema } from "@codelia/shared-types";
import { z } from "zod";

export const WireSkillSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Of SKILL.md, as it was discovered. */
  path: z.string(),
  dir: z.string(),
  scope: SkillScopeSchema,
  mtime_ms: z.number(),
});

const problem = {
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  /** What to write instead. */
  fix: z.string().optional(),
};

export const WireSkillErrorSchema = z.strictObject(problem);
export const WireSkillProblemSchema = z.strictObject({ ...problem, severity: z.enum(["error", "warning"]) });

export type WireSkill = z.infer<typeof WireSkillSchema>;
export type WireSkillError = z.infer<typeof WireSkillErrorSchema>;
export type WireSkillProblem = z.infer<typeof WireSkillProblemSchema>;

/** What every look at the skills of a directory tells besides. */
const around = {
  /** false: the setting `skills.enabled` switches all of them off. */
  enabled: z.boolean(),
  /** The project's root. */
  root: z.string(),
  notices: z.array(z.string()),
};

export const SkillsListParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Reads every SKILL.md anew instead of relying on the index. */
  force_reload: z.boolean().optional(),
});

export const SkillsListResultSchema = z.strictObject({
  ...around,
  /** Repo before user, then by name, then by path. */
  skills: z.array(WireSkillSchema),
  /** Skills that the user switched off. */
  disabled: z.array(WireSkillSchema),
  errors: z.array(WireSkillErrorSchema),
  /** A limit left something out; `errors` says what. */
  truncated: z.boolean(),
});

export const SkillsSearchParamsSchema = z.strictObject({
  cwd: z.string(),
  query: z.string(),
  /** Absent: the setting `skills.search.defaultLimit`; never more than `skills.search.maxLimit`. */
  limit: z.number().int().positive().optional(),
  scope: SkillScopeSchema.optional(),
});

export const SkillsSearchResultSchema = z.strictObject({
  ...around,
  /** The best first. */
  results: z.array(
    z.strictObject({ skill: WireSkillSchema, score: z.number(), reason: SkillSearchReasonSchema }),
  ),
  /** How many skills match, also those that the limit left out. */
  count: z.number(),
  truncated: z.boolean(),
});

/** A skill by its name, or by the path of its SKILL.md or its directory. */
const selector = { cwd: z.string(), name: z.string().optional(), path: z.string().optional() };

export const SkillsShowParamsSchema = z.strictObject(selector);

/** The keys that Codelia knows, as they stand in SKILL.md; every value is text. */
export const WireSkillFrontmatterSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  version: z.string().optional(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  "allowed-tools": z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
});

export type WireSkillFrontmatter = z.infer<typeof WireSkillFrontmatterSchema>;

export const SkillsShowResultSchema = z.strictObject({
  skill: WireSkillSchema,
  frontmatter: WireSkillFrontmatterSchema,
  /** The user switched it off: the model cannot load it. */
  disabled: z.boolean(),
  sha256: z.string(),
  /** Exactly what a model is given that loads it: the whole SKILL.md, the base directory, the list of files. */
  text: z.string(),
  files: z.array(z.string()),
  /** Not every file is listed. */
  files_truncated: z.boolean(),
  notices: z.array(z.string()),
});

export const SkillsValidateParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Each a SKILL.md, a skill's directory, or a folder above skills; none: the skills of the project. */
  paths: z.array(z.string()),
});

export const SkillsValidateResultSchema = z.strictObject({
  skills: z.array(
    z.strictObject({
      path: z.string(),
      name: z.string().optional(),
      problems: z.array(WireSkillProblemSchema),
    }),
  ),
  /** What is wrong with the folders themselves. */
  problems: z.array(WireSkillProblemSchema),
  error_count: z.number(),
  warning_count: z.number(),
});

export const SkillsSetEnabledParamsSchema = z.strictObject({ ...selector, enabled: z.boolean() });

export const SkillsSetEnabledResultSchema = z.strictObject({
  enabled: z.boolean(),
  /** false: it was so already. */
  changed: z.boolean(),
  /** The config file that says so. */
  file: z.string(),
  /** The skills that this is about: all that have the name. None: an entry for a skill that is gone was removed. */
  skills: z.array(WireSkillSchema),
});

export const SkillsNewParamsSchema = z.strictObject({
  cwd: z.string(),
  name: z.string(),
  description: z.string().optional(),
  /** Where: the project's skills, the user's, or `dir`, a folder that holds skills. */
  place: z.enum(["repo", "user", "dir"]),
  dir: z.string().optional(),
});

export const SkillsNewResultSchema = z.strictObject({
  name: z.string(),
  /** Of the new SKILL.md. */
  path: z.string(),
  files: z.array(z.string()),
  notices: z.array(z.string()),
});

/** What a session that starts here would be told of skills. */
export const SkillsContextSchema = z.strictObject({
  enabled: z.boolean(),
  /** The exact message; absent when nothing is sent. */
  text: z.string().optional(),
  bytes: z.number(),
  max_bytes: z.number(),
  max_entries: z.number(),
  /** How many skills it lists, of how many. */
  shown: z.number(),
  total: z.number(),
  disabled: z.number(),
  /** A description is shorter than its skill's, or a skill is not listed. */
  truncated: z.boolean(),
  errors: z.array(WireSkillErrorSchema),
});

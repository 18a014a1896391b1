// `config.inspect` and `trust.*`.
import { ConfigSourceSchema } from "@codelia/shared-types";
import { z } from "zod";

const entry = z.strictObject({ key: z.string(), value: z.unknown(), source: ConfigSourceSchema });

export const ConfigInspectParamsSchema = z.strictObject({ cwd: z.string() });

export const ConfigInspectResultSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      layer: z.enum(["user", "project"]),
      state: z.enum(["read", "absent", "untrusted", "unused"]),
    }),
  ),
  settings: z.array(entry),
  /** Written by the project, and not its to decide. */
  refused: z.array(entry),
  notices: z.array(z.string()),
});

const project = z.strictObject({ root: z.string(), identity: z.string(), trusted_at: z.string() });

export const TrustParamsSchema = z.strictObject({ path: z.string() });
export const TrustAddResultSchema = z.strictObject({ project });
export const TrustRemoveResultSchema = z.strictObject({ project: project.optional(), path: z.string() });
export const TrustListParamsSchema = z.strictObject({});
export const TrustListResultSchema = z.strictObject({ projects: z.array(project) });

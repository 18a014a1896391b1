// `doctor.check`: what is wrong on this machine and in this project, each with its fix.
import { z } from "zod";

export const DoctorFindingSchema = z.strictObject({
  about: z.enum([
    "program",
    "home",
    "config",
    "trust",
    "sandbox",
    "ripgrep",
    "git",
    "bash",
    "provider",
    "model",
  ]),
  /** `warning`: it works, but less well or less safely; `problem`: something cannot be done before it is mended. */
  level: z.enum(["ok", "warning", "problem"]),
  /** What was found, in one sentence or more. */
  text: z.string(),
  /** What to do about it; always there unless all is well. */
  fix: z.string().optional(),
});

export type DoctorFinding = z.infer<typeof DoctorFindingSchema>;

export const DoctorCheckParamsSchema = z.strictObject({ cwd: z.string() });

export const DoctorCheckResultSchema = z.strictObject({
  /** Of this program. */
  version: z.string(),
  /** No finding is a problem. */
  healthy: z.boolean(),
  findings: z.array(DoctorFindingSchema),
});

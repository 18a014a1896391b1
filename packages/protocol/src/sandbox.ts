// `sandbox.check`: what holds commands back here, each wall tried for real.
import { z } from "zod";

export const SandboxCheckParamsSchema = z.strictObject({ cwd: z.string() });

export const SandboxCheckResultSchema = z.strictObject({
  workspace: z.string(),
  /** The setting `sandbox.enabled`. */
  enabled: z.enum(["auto", "require", "off"]),
  /** A sandbox is there, and each of its walls held. */
  in_force: z.boolean(),
  kind: z.enum(["bubblewrap", "seatbelt"]).optional(),
  /** Why there is none. */
  reason: z.string().optional(),
  /** How to get one. */
  fix: z.string().optional(),
  /** Empty without a sandbox: nothing is tried then. */
  protections: z.array(
    z.strictObject({
      name: z.string(),
      holds: z.boolean(),
      /** What was tried, and what came of it. */
      how: z.string(),
    }),
  ),
  programs: z.array(
    z.strictObject({
      name: z.string(),
      /** Absent: it is not installed. */
      path: z.string().optional(),
      needed_for: z.string(),
    }),
  ),
  allow_hosts: z.array(z.string()),
});

// The `sandbox` section of config.json. It belongs to the user; a project may only narrow it.
import { z } from "zod";

/** `example.org`, `*.example.org`, with `:PORT`. */
export const hostPattern =
  /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?$/;

const path = z
  .string()
  .regex(/^(\/|~\/|~$)[^\0]*$/, { error: "expected an absolute path, or one that begins with ~/" });

const network = z.strictObject({
  allowHosts: z
    .array(
      z.string().regex(hostPattern, {
        error:
          "expected a host in lower case (example.org, *.example.org), with :PORT if it is not 80 or 443",
      }),
    )
    .describe("Hosts that commands may reach over HTTP and HTTPS. Empty: no network."),
});

const limit = z.number().int().positive();

const limits = z.strictObject({
  processes: limit.describe("At most this many processes and threads at once. Not enforced for root."),
  openFiles: limit.describe("At most this many open files for a process."),
  fileSizeMiB: limit.describe("No file may grow beyond this size."),
  memoryMiB: limit
    .optional()
    .describe(
      "Address space of a process. Unset: no limit, because many runtimes reserve far more than they use.",
    ),
});

const shape = {
  enabled: z
    .enum(["auto", "require", "off"])
    .describe(
      "auto: commands run in the sandbox, and ask where there is none. require: without it they do not run. off: no sandbox.",
    ),
  network,
  writablePaths: z.array(path).describe("Further paths that commands may write to, besides the workspace."),
  hiddenPaths: z.array(path).describe("Further paths that commands may not read."),
  limits,
};

export const SandboxSettingsSchema = z.strictObject(shape);

export const SandboxConfigSchema = z
  .strictObject({ ...shape, network: network.partial(), limits: limits.partial() })
  .partial();

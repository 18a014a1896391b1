// The way to the runtime for a command that works in a directory.
import type { Client } from "@codelia/protocol";
import { chosenDirectory, settingFlags } from "../arguments.ts";
import type { CliIo } from "../io.ts";

/** @input values: what the options that most commands have were given @error UsageError for a setting that is none */
export async function connectHere(
  command: string,
  values: { config?: string[]; trust?: boolean; directory?: string },
  io: CliIo,
): Promise<{ client: Client; cwd: string }> {
  const settings = settingFlags(command, values.config);
  return {
    cwd: chosenDirectory(values.directory, io.workingDirectory),
    client: await io.connect({ settings, trust: values.trust ?? false }),
  };
}

// codelia trust

import { resolve } from "node:path";
import { visibleJson, visibleName } from "@codelia/shared-types";
import { atMostOnePath, chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { columns } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "trust";

const { options } = descriptions.trust;

export async function trustCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, options);
  const named = atMostOnePath(command, positionals);
  if (values.list && (values.remove || named !== undefined))
    throw new UsageError("--list stands alone", command);
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  const print = (result: unknown, words: string) =>
    io.stdout.write(values.json ? `${visibleJson(result)}\n` : words);

  if (values.list) {
    const result = await client.call("trust.list", {});
    const rows = result.projects.map(({ root, trusted_at }) => [visibleName(root), `since ${trusted_at}`]);
    print(result, rows.length === 0 ? "No project is trusted yet.\n" : `${columns(rows).join("\n")}\n`);
    return exitCode.done;
  }
  const path = resolve(chosenDirectory(values.directory, io.workingDirectory), named ?? ".");
  if (!values.remove) {
    const result = await client.call("trust.add", { path });
    print(
      result,
      `Trusted ${visibleName(result.project.root)}\nTake it back with: codelia trust --remove ${visibleName(result.project.root)}\n`,
    );
    return exitCode.done;
  }
  const result = await client.call("trust.remove", { path });
  const { project } = result;
  if (project === undefined && !values.json) {
    io.stderr.write(
      `${visibleName(path)}: this project is not trusted, nothing was changed. See: codelia trust --list\n`,
    );
  } else print(result, `No longer trusted: ${visibleName(project?.root ?? path)}\n`);
  return project === undefined ? exitCode.failed : exitCode.done;
}

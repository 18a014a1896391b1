// codelia permissions
import type { Params } from "@codelia/protocol";
import { visibleJson } from "@codelia/shared-types";
import { approvalMode, chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderPermissionCheck, renderPermissionList } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "permissions";

const { options } = descriptions.permissions;

interface Target {
  tool?: string;
  path?: string[];
  skill?: string;
  server?: string;
  url?: string;
}

export async function permissionsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, options);
  const [action, ...words] = positionals;
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const connect = () =>
    io.connect({ settings: settingFlags(command, values.config), trust: values.trust ?? false });
  if (action === "list") {
    if (words.length > 0) throw new UsageError(`unexpected argument '${words[0]}'`, command);
    const list = await (await connect()).call("permissions.list", { cwd });
    io.stdout.write(values.json ? `${visibleJson(list)}\n` : renderPermissionList(list));
    return exitCode.done;
  }
  if (action !== "check") throw new UsageError("expected: codelia permissions check, or list", command);
  const call = checkedCall(values, words);
  const approval = approvalMode(command, values.approval);
  const check = await (await connect()).call("permissions.check", { cwd, approval, call });
  io.stdout.write(values.json ? `${visibleJson(check)}\n` : renderPermissionCheck(check));
  return exitCode.done;
}

type CheckedCall = Params<"permissions.check">["call"];

function checkedCall({ tool, path, skill, server, url }: Target, words: readonly string[]): CheckedCall {
  if (server !== undefined) {
    if (
      tool === undefined ||
      path !== undefined ||
      skill !== undefined ||
      url !== undefined ||
      words.length > 0
    )
      throw new UsageError("--server goes with --tool alone: the name that models know the tool by", command);
    return { kind: "mcp", server, tool };
  }
  const given = [
    words.length > 0,
    tool !== undefined || path !== undefined,
    skill !== undefined,
    url !== undefined,
  ];
  if (given.filter(Boolean).length !== 1) {
    throw new UsageError(
      "expected one of: -- COMMAND, --tool with --path, --tool with --server, --skill, --url",
      command,
    );
  }
  if (skill !== undefined) return { kind: "skill", name: skill };
  if (url !== undefined) return { kind: "network", url };
  if (words.length > 0) return { kind: "command", command: shellText(words) };
  if (tool === undefined || path === undefined) {
    throw new UsageError("--tool and --path go together", command);
  }
  return { kind: readingTools.has(tool) ? "read" : "write", tool, paths: path };
}

// Tools that only look; every other counts as one that writes, which asks more.
const readingTools = new Set(["read", "list", "glob", "grep"]);

/** One argument is a text for the shell; several are words, each quoted so that it stays one. */
function shellText(words: readonly string[]): string {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return only;
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

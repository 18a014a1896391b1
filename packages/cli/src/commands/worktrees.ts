// codelia worktrees
import { visibleJson, visibleText } from "@codelia/shared-types";
import { chosenDirectory, commonOptions, parseCommand, settingFlags } from "../arguments.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderPruned, renderWorktrees } from "../render/index.ts";
import { UsageError } from "../usage.ts";
import { issueNumbers } from "./issue-numbers.ts";

const command = "worktrees";

export async function worktreesCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, commonOptions);
  const [action = "list", ...rest] = positionals;
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const issues = rest.flatMap((list) => issueNumbers(command, "ISSUE", list));
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  const write = (result: unknown, words: string) =>
    io.stdout.write(values.json ? `${visibleJson(result)}\n` : words);
  switch (action) {
    case "list": {
      if (rest.length > 0) throw new UsageError(`unexpected argument '${rest[0]}'`, command);
      const result = await client.call("worktrees.list", { cwd });
      write(result, renderWorktrees(result));
      return exitCode.done;
    }
    case "prune": {
      const result = await client.call("worktrees.prune", {
        cwd,
        ...(issues.length === 0 ? {} : { issues }),
      });
      write(result, renderPruned(result));
      // What was asked for by its number and is still there was not done.
      const isKept = issues.length > 0 && result.worktrees.some(({ removed }) => !removed);
      return isKept ? exitCode.failed : exitCode.done;
    }
    case "unlock": {
      const [issue] = issues;
      if (issue === undefined || issues.length > 1)
        throw new UsageError("say which issue to unlock", command);
      const result = await client.call("worktrees.unlock", { cwd, issue });
      const words =
        result.owner === undefined
          ? `Nobody has issue ${issue}.\n`
          : `Took issue ${issue} from ${visibleText(result.owner)}.\n`;
      write(result, words);
      return exitCode.done;
    }
  }
  throw new UsageError(`unknown command 'worktrees ${action}': expected one of list, prune, unlock`, command);
}

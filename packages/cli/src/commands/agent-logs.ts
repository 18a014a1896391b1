// codelia agent logs
import { visibleJson, visibleText } from "@codelia/shared-types";
import { chosenDirectory, parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { renderFlowLogEntry } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "agent";
const pageSize = 200;
const waitMs = 1_000;

export async function agentLogsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.agent.verbs.logs.options);
  const [run] = positionals;
  if (run === undefined || run === "") {
    throw new UsageError("say which run: codelia agent runs shows them", command);
  }
  if (positionals.length > 1) throw new UsageError(`expected one run, found ${positionals.length}`, command);
  const cwd = chosenDirectory(values.directory, io.workingDirectory);
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  const follow = values.follow ?? false;
  const interrupted = new AbortController();
  const stopListening = io.onInterrupt(() => interrupted.abort());
  try {
    let cursor: string | undefined;
    while (!interrupted.signal.aborted) {
      const page = await client.call("flow.log", {
        cwd,
        run_id: run,
        ...(cursor === undefined ? {} : { cursor }),
        limit: pageSize,
        wait_ms: follow ? waitMs : 0,
      });
      for (const entry of page.entries)
        io.stdout.write(values.json ? `${visibleJson(entry, "one-line")}\n` : renderFlowLogEntry(entry));
      await io.stdout.drained();
      for (const notice of page.notices) io.stderr.write(`codelia: ${visibleText(notice)}\n`);
      cursor = page.next_cursor;
      if (!page.more || (!follow && page.entries.length === 0)) return exitCode.done;
    }
    return exitCode.interrupted;
  } finally {
    stopListening();
  }
}

// Lets a person choose one of the last sessions.
import type { Client } from "@codelia/protocol";
import type { CliIo } from "../io.ts";
import { minuteOf, oneLine } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const shown = 10;

/** @output the id @error UsageError when nobody can be asked, or nothing was chosen */
export async function pickSession(client: Client, cwd: string, io: CliIo): Promise<string> {
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new UsageError(
      "--resume needs an ID where nobody can be asked; --continue takes the last session",
      "run",
    );
  }
  const { sessions } = await client.call("session.list", { cwd, all: false, limit: shown });
  if (sessions.length === 0) throw new UsageError("there is no session of this repository yet", "run");
  for (const [index, { title, updated_at }] of sessions.entries()) {
    io.stderr.write(`${String(index + 1).padStart(3)}  ${minuteOf(updated_at)}  ${oneLine(title, 60)}\n`);
  }
  io.stderr.write("Which one? ");
  const answer = (await io.stdin.readLine())?.trim() ?? "";
  const chosen = /^\d{1,3}$/.test(answer) ? sessions[Number(answer) - 1] : undefined;
  if (chosen === undefined) throw new UsageError(`expected a number from 1 to ${sessions.length}`, "run");
  return chosen.id;
}

// A process of its own that takes and releases a lock when it is told to, line by line on its standard input.
import { closeSync, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { acquireLock, type HeldLock } from "@codelia/storage";

let lock: HeldLock | undefined;

async function answer(command: string, directory: string): Promise<unknown> {
  if (command === "release") {
    await lock?.release();
    return "released";
  }
  if (command === "work") return await work(directory);
  const attempt = await acquireLock(directory);
  if (!attempt.held) return { held: false, owner: attempt.owner?.pid };
  lock = attempt;
  return { held: true, takenOverFrom: attempt.takenOverFrom };
}

/** Takes the lock a hundred times; whoever meets somebody inside has found it broken. */
async function work(directory: string): Promise<{ times: number; meetings: number }> {
  const inside = join(directory, "inside");
  let meetings = 0;
  for (let times = 0; times < 100; ) {
    const attempt = await acquireLock(directory);
    if (!attempt.held) continue;
    try {
      closeSync(openSync(inside, "wx"));
      unlinkSync(inside);
    } catch {
      meetings += 1;
    }
    times += 1;
    await attempt.release();
  }
  return { times: 100, meetings };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command = "", directory = ""] = line.split(" ");
  process.stdout.write(`${JSON.stringify(await answer(command, directory))}\n`);
}

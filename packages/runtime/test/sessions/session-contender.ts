// A process of its own that enters a session and leaves it when it is told to, line by line on its standard input.
import { createInterface } from "node:readline";
import { nodeDisk, StorageError } from "@codelia/storage";
import { openSession, type ResumedSession } from "../../src/sessions/index.ts";
import { prompt } from "./stored-sessions.ts";

let session: ResumedSession | undefined;

async function answer(command: string, directory: string): Promise<unknown> {
  if (command === "leave") {
    const entry = await session?.log.append(prompt(`said by ${process.pid}`));
    await session?.close();
    return { said: entry?.seq };
  }
  try {
    session = await openSession({ disk: nodeDisk, now: () => new Date() }, directory);
    return { entered: true, notices: session.notices };
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "locked") throw error;
    // Who it is, without the time since when.
    return { entered: false, told: /in use by process \d+/.exec(error.message)?.[0] };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command = "", directory = ""] = line.split(" ");
  process.stdout.write(`${JSON.stringify(await answer(command, directory))}\n`);
}

// The command line in a process of its own, which kills itself at one write to a journal.
// Arguments: the scene's top; the number of the write from 1 (0: none), or words that are in it; before or after it; and
// the command's own.

import { writeSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "@codelia/cli";
import { connectInProcess } from "@codelia/protocol";
import { createHandlers } from "@codelia/runtime";
import { nodeFileSystem } from "@codelia/storage";
import { type AroundCall, watchedDisk } from "../crash/watched-disk.ts";
import { bareIo } from "../support/cli-io.ts";

const [top = "", write = "0", moment = "", ...args] = process.argv.slice(2);
const words = write.split(" ");

let writes = 0;
const around: AroundCall = async (call, make) => {
  if (call.kind !== "write" || !call.path.endsWith("/journal.jsonl")) return await make();
  writes += 1;
  const line = new TextDecoder().decode(call.data);
  const isLast = /^\d+$/.test(write) ? writes === Number(write) : words.every((word) => line.includes(word));
  if (isLast && moment === "before") process.kill(process.pid, "SIGKILL");
  const made = await make();
  if (isLast) process.kill(process.pid, "SIGKILL");
  return made;
};

const environment = {
  env: { PATH: process.env.PATH },
  userHome: join(top, "home"),
  fs: nodeFileSystem,
  disk: watchedDisk(around),
  version: "0.0.0",
  now: () => new Date(),
  fetch: () => Promise.reject(new Error("there is no network here")),
  executable: process.execPath,
};

// At once: what waits in a buffer dies with the process.
const stream = (fd: number) => ({
  isTTY: false,
  write: (text: string) => void writeSync(fd, text),
  drained: () => Promise.resolve(),
});

const io = bareIo({
  stdout: stream(1),
  stderr: stream(2),
  workingDirectory: () => join(top, "repo"),
  connect: (options) => Promise.resolve(connectInProcess(createHandlers(environment, options))),
});
process.exitCode = await runCli(args, io);
writeSync(2, `writes: ${writes}\n`);

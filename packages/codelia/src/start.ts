// Gives the command line this process's streams and working directory, and a way to the runtime.
import { homedir } from "node:os";
import { type ConnectOptions, type OutputStream, runCli } from "@codelia/cli";
import type { Client } from "@codelia/protocol";
import { logicalWorkingDirectory } from "./working-directory.ts";

export function start(args: readonly string[], version: string): Promise<number> {
  return runCli(args, {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    version,
    workingDirectory: () => logicalWorkingDirectory(process.env.PWD),
    connect,
  });
}

async function connect(options: ConnectOptions): Promise<Client> {
  const [{ createHandlers }, { connectInProcess }, { nodeFileSystem }] = await Promise.all([
    import("@codelia/runtime"),
    import("@codelia/protocol"),
    import("@codelia/storage"),
  ]);
  const environment = {
    env: process.env,
    userHome: process.env.HOME || homedir(),
    fs: nodeFileSystem,
    now: () => new Date(),
  };
  return connectInProcess(createHandlers(environment, options));
}

function output(stream: NodeJS.WriteStream): OutputStream {
  // A reader that went away (`codelia context | head`) is not a failure.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });
  return { isTTY: stream.isTTY, write: (text) => void stream.write(text) };
}

// Gives the command line this process's streams and working directory, and a way to the runtime.
import "./plain-schemas.ts";
import { promises as fs } from "node:fs";
import { homedir } from "node:os";
import {
  type ConnectOptions,
  type DrainingStream,
  type EditorOptions,
  type InputStream,
  runCli,
  type TerminalUiOptions,
} from "@codelia/cli";
import type { Client, Handlers } from "@codelia/protocol";
import { readRegularFile, readText } from "./bounded-reading.ts";
import { logicalWorkingDirectory } from "./working-directory.ts";

export function start(args: readonly string[], version: string): Promise<number> {
  return runCli(args, {
    stdin: input(process.stdin),
    stdout: output(process.stdout, withoutAnswer),
    // Progress that nobody takes is no reason to stop the work.
    stderr: output(process.stderr, () => undefined),
    version,
    workingDirectory: () => logicalWorkingDirectory(process.env.PWD),
    connect: (options) => connect(options, version),
    serve: (options) => serve(options, version),
    readFile: readRegularFile,
    writeFile: (path, text) => fs.writeFile(path, text),
    onInterrupt,
    clock: () => performance.now(),
    openTerminalUi: (options) => openTerminalUi(options, version),
    serveEditor: (options) => serveEditor(options, version),
    pipes: () => ({ input: process.stdin, output: process.stdout }),
  });
}

async function serveEditor(options: EditorOptions, version: string): Promise<void> {
  const [{ serveAcp }, { Readable, Writable }] = await Promise.all([
    import("@codelia/acp"),
    import("node:stream"),
  ]);
  const ending = new AbortController();
  const stopListening = onInterrupt(() => ending.abort());
  // An editor that went away in the middle: what runs is ended first.
  process.stdout.removeAllListeners("error").on("error", () => ending.abort());
  try {
    await serveAcp({
      ...options,
      version,
      input: Readable.toWeb(process.stdin),
      output: Writable.toWeb(process.stdout),
      signal: ending.signal,
    });
  } finally {
    stopListening();
    // An editor that stays must not keep this process: nothing is read any more.
    process.stdin.destroy();
  }
}

/** Loaded here alone: no other command pays for it. */
async function openTerminalUi(options: TerminalUiOptions, version: string): Promise<number> {
  const [{ runTui }, { onCrash, onSignal, processLines, processTerminal, written }] = await Promise.all([
    import("@codelia/tui"),
    import("./terminal.ts"),
  ]);
  const code = await runTui(options, {
    terminal: processTerminal(),
    env: process.env,
    version,
    connect: (connection) => connect(connection, version),
    readFile: readRegularFile,
    clipboardImage: async () => (await import("./clipboard.ts")).clipboardImage(),
    readLine: processLines(),
    onSignal,
    onCrash,
    clock: () => performance.now(),
  });
  await written();
  // What a run that was left behind still holds open must not keep the shell waiting.
  process.exit(code);
}

async function connect(options: ConnectOptions, version: string): Promise<Client> {
  const [handlers, { connectInProcess }] = await Promise.all([
    openRuntime(options, version),
    import("@codelia/protocol"),
  ]);
  return connectInProcess(handlers);
}

async function serve(options: ConnectOptions, version: string): Promise<number> {
  const [handlers, { serveStreams }] = await Promise.all([openRuntime(options, version), import("./rpc.ts")]);
  const code = await serveStreams(handlers, {
    version,
    onInterrupt,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  });
  // Bytes that nobody takes must not keep the process.
  setTimeout(() => process.exit(code), 1000).unref();
  return code;
}

async function openRuntime(options: ConnectOptions, version: string): Promise<Handlers> {
  const [{ createHandlers }, { nodeDisk, nodeFileSystem }] = await Promise.all([
    import("@codelia/runtime"),
    import("@codelia/storage"),
  ]);
  const environment = {
    env: process.env,
    userHome: process.env.HOME || homedir(),
    fs: nodeFileSystem,
    disk: nodeDisk,
    version,
    now: () => new Date(),
    fetch: (url: string | URL | Request, init?: RequestInit) => fetch(url, init),
    executable: process.execPath,
  };
  return createHandlers(environment, options);
}

/** The first interrupt is for the listener; whoever presses again wants out at once. */
function onInterrupt(listener: () => void): () => void {
  let count = 0;
  const handle = () => {
    count += 1;
    if (count > 1) process.exit(130);
    listener();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.off(signal, handle);
  };
}

function input(stream: NodeJS.ReadStream): InputStream {
  return {
    isTTY: stream.isTTY,
    readAll: (maxBytes) => readText(stream, maxBytes),
    async readLine() {
      const { createInterface } = await import("node:readline");
      const lines = createInterface({ input: stream });
      try {
        for await (const line of lines) return line;
        return undefined;
      } finally {
        lines.close();
        stream.pause();
      }
    },
  };
}

/** A reader that went away (`codelia context | head`) is not a failure; a file on a full disk is. */
function withoutAnswer({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit(process.exitCode ?? 0);
  process.stderr.write(`codelia: standard output cannot be written: ${message}\n`);
  process.exit(1);
}

function output(
  stream: NodeJS.WriteStream,
  onFailure: (error: NodeJS.ErrnoException) => void,
): DrainingStream {
  let isWatched = false;
  // From the first write on: a server has its own way to find out.
  const watch = () => {
    if (isWatched) return;
    isWatched = true;
    stream.on("error", onFailure);
  };
  let pending = "";
  const flush = (taken?: () => void) => {
    watch();
    stream.write(pending, taken);
    pending = "";
  };
  return {
    isTTY: stream.isTTY,
    columns: stream.columns,
    // What is said at one moment is written at once: a run has many small events, and a write costs more than an event.
    write: (text) => {
      if (pending === "" && text !== "") setImmediate(() => flush());
      pending += text;
    },
    drained: () => new Promise((resolve) => flush(resolve)),
  };
}

// This process's terminal for the terminal UI, and how it is given back whatever happens.
import { createInterface } from "node:readline";
import type { TerminalPort, TuiIo } from "@codelia/tui";

/** For a terminal that takes nothing any more. */
const patienceMs = 2000;

/** @effects none until it is used */
export function processTerminal(): TerminalPort {
  const { stdin, stdout } = process;
  let listener: ((input: string) => void) | undefined;
  const forward = (chunk: string) => listener?.(chunk);
  const cooked = () => {
    listener = undefined;
    stdin.off("data", forward);
    if (stdin.isRaw) stdin.setRawMode(false);
    stdin.pause();
  };
  return {
    get columns() {
      return stdout.columns || 80;
    },
    get rows() {
      return stdout.rows || 24;
    },
    write: (text) => void stdout.write(text),
    raw(input) {
      listener = input;
      stdin.setRawMode(true);
      stdin.setEncoding("utf8");
      stdin.on("data", forward);
      stdin.resume();
    },
    cooked,
    onResize(resized) {
      stdout.on("resize", resized);
      return () => void stdout.off("resize", resized);
    },
    async suspend() {
      await written();
      await new Promise<void>((resolve) => {
        process.once("SIGCONT", () => resolve());
        process.kill(process.pid, "SIGTSTP");
      });
    },
  };
}

/** Line by line for as long as the program lives, so that lines which come together are all there. */
export function processLines(): TuiIo["readLine"] {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
    const next: IteratorResult<string, unknown> = await lines.next();
    return next.done ? undefined : next.value;
  };
}

export function onSignal(listener: Parameters<TuiIo["onSignal"]>[0]): ReturnType<TuiIo["onSignal"]> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Returns when the terminal has taken everything, or does not want to: what ends before loses its last words. */
export function written(): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, patienceMs).unref();
    process.stdout.write("", () => process.stderr.write("", () => done()));
  });
}

/** A failure that nobody handles still ends the program; the terminal is given back first. */
export function onCrash(listener: () => void): () => void {
  const crash = (error: unknown) => {
    listener();
    process.stderr.write(
      `codelia: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    void written().then(() => process.exit(1));
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("exit", listener);
  return () => {
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    process.off("exit", listener);
  };
}

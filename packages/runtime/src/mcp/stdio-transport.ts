// The SDK's transport over a process of ours: bounded lines, and an end that says why.
import { setTimeout as delay } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { BoundedLines } from "./bounded-lines.ts";
import type { ServerProcess } from "./server-process.ts";

const drainMs = 500;

export class StdioTransport implements Transport {
  readonly #process: ServerProcess;
  readonly #lines: BoundedLines;
  #isClosed = false;
  /** Why there is nothing more to come, in words; undefined: it was closed from here. */
  end: string | undefined;
  /** It sent more than is taken. */
  isFlooded = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(process: ServerProcess, now: () => number) {
    this.#process = process;
    this.#lines = new BoundedLines(now);
  }

  start(): Promise<void> {
    this.#process.output.on("data", (chunk: Buffer) => this.#take(chunk));
    // Its last answer may still be on the way when it has ended; a process that it left may hold the pipe open.
    void this.#process.exited.then(async (end) => {
      await Promise.race([this.#process.drained, delay(drainMs, undefined, { ref: false })]);
      this.#closed(end);
    });
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error(this.end ?? "the connection is closed");
    await this.#process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#closed(undefined);
    await this.#process.end();
  }

  #take(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.push(chunk)) this.#message(line);
    } catch (error) {
      this.isFlooded = true;
      this.#closed(error instanceof Error ? error.message : String(error));
    }
  }

  /** Lines that are no messages are somebody's log: they are passed over, and counted. */
  #message(line: string): void {
    const message = messageIn(line);
    if (message === undefined || "method" in message) this.#lines.countUnasked();
    if (message !== undefined && !this.#isClosed) this.onmessage?.(message);
  }

  #closed(end: string | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.end = end;
    // Whoever holds the connection ends it too; until then nothing of the process may go on.
    void this.#process.end();
    this.onclose?.();
  }
}

function messageIn(line: string): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}

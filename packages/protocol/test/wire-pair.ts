// Two ends of a connection in memory, and a raw end that says whatever a test wants.
import type { Handlers } from "../src/index.ts";
import { type ServeOptions, serve, type Transport } from "../src/wire/index.ts";

/** Bytes from one side to the other; a write is taken when it is read, or at once below the buffer's size. */
export class Pipe implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #bufferBytes: number;
  #held = 0;
  #isClosed = false;
  #wakeReader: () => void = () => undefined;
  #wakeWriters: (() => void)[] = [];

  constructor(bufferBytes = 64 * 1024) {
    this.#bufferBytes = bufferBytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) throw new Error("EPIPE");
    this.#chunks.push(bytes);
    this.#held += bytes.length;
    this.#wakeReader();
    while (this.#held > this.#bufferBytes && !this.#isClosed) {
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
    }
    if (this.#isClosed && this.#held > 0) throw new Error("EPIPE");
  }

  close(): void {
    this.#isClosed = true;
    this.#wakeReader();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#held -= chunk.length;
        this.#wake();
        yield chunk;
      } else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
    }
  }

  #wake(): void {
    const writers = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const resume of writers) resume();
  }
}

export function pair(): { readonly client: Transport; readonly server: Transport } {
  const up = new Pipe();
  const down = new Pipe();
  const close = () => {
    up.close();
    down.close();
  };
  return {
    client: { incoming: down, write: (bytes) => up.write(bytes), close },
    server: { incoming: up, write: (bytes) => down.write(bytes), close: () => down.close() },
  };
}

export const hello = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocol_version: 1, client: { name: "test", version: "1" }, capabilities: { ui: ["confirm"] } },
};

export const list = (id: unknown) => ({ jsonrpc: "2.0", id, method: "trust.list", params: {} });

/** Error number and code of ours, and the id that it came under. */
export function faultIn(message: unknown): string {
  const text = JSON.stringify(message);
  const [, id] = /"id":(null|\d+|"[^"]*")/.exec(text) ?? [];
  const [, number] = /"code":(-\d+)/.exec(text) ?? [];
  const [, code] = /"data":\{"code":"(\w+)"/.exec(text) ?? [];
  return `${id} ${number} ${code}`;
}

/** A client that is nothing but bytes. */
export class RawClient {
  readonly #up = new Pipe();
  readonly down = new Pipe();
  readonly log: string[] = [];
  readonly ended: ReturnType<typeof serve>;
  readonly #lines: AsyncGenerator<string>;

  constructor(handlers: Handlers, options: Partial<ServeOptions> = {}) {
    const transport: Transport = {
      incoming: this.#up,
      write: (bytes) => this.down.write(bytes),
      close: () => this.down.close(),
    };
    this.ended = serve(handlers, transport, {
      version: "1.2.3",
      log: (problem) => this.log.push(problem),
      ...options,
    });
    this.#lines = linesOf(this.down);
  }

  async bytes(bytes: Uint8Array | string): Promise<void> {
    await this.#up.write(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  }

  async say(...messages: readonly unknown[]): Promise<void> {
    for (const message of messages) await this.bytes(`${JSON.stringify(message)}\n`);
  }

  /** The next message, or undefined at the end. */
  async hear(): Promise<unknown> {
    const line = await this.#lines.next();
    return line.done ? undefined : JSON.parse(line.value);
  }

  async hello(): Promise<void> {
    await this.say(hello);
    await this.hear();
  }

  /** Says nothing more. */
  fallSilent(): void {
    this.#up.close();
  }

  /** Goes away. @output what the server still said */
  async leave(): Promise<unknown[]> {
    this.fallSilent();
    const rest: unknown[] = [];
    for (let message = await this.hear(); message !== undefined; message = await this.hear())
      rest.push(message);
    return rest;
  }
}

async function* linesOf(pipe: Pipe): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of pipe) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

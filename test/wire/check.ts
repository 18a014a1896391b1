// The property: whatever comes, the process lives, says nothing but messages, and answers every sound request once.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { z } from "zod";
import { Random } from "../safety/fuzz/random.ts";
import { startRpc, stateOf } from "../support/rpc-process.ts";
import { TemporaryTree } from "../support/tree.ts";
import { frame } from "./frames.ts";

export interface WireFuzzReport {
  readonly frames: number;
  /** Messages that the process said: errors, answers, events. */
  readonly answers: number;
  readonly errors: number;
  /** How often each code of ours was told. */
  readonly codes: ReadonlyMap<string, number>;
  /** Runs that were really begun by one of the frames. */
  readonly runs: number;
  readonly peakMb: number;
  readonly findings: readonly string[];
}

const MessageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  error: z
    .looseObject({ code: z.int(), message: z.string(), data: z.looseObject({ code: z.string() }) })
    .optional(),
});

const batch = 200;

/** @effects starts a process in a temporary tree of its own, and ends it */
export async function fuzzWire(
  seed: number,
  count: number,
  progress: (done: number, residentMb: number) => void = () => undefined,
): Promise<WireFuzzReport> {
  using tree = new TemporaryTree({
    "home/": "",
    "repo/.git/": "",
    "repo/a.txt": "one\n",
    "repo/AGENTS.md": "Be brief.\n",
    "script.json": JSON.stringify({ turns: Array.from({ length: 9 }, () => ({ text: "Said." })) }),
  });
  const place = { cwd: tree.at("repo"), script: tree.at("script.json") };
  const child = startRpc({ cwd: place.cwd, home: tree.at("home") });
  try {
    return await new Fuzz(child, seed).run(count, place, progress);
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.on("close", resolve) : resolve(0),
    );
  }
}

class Fuzz {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #seed: number;
  readonly #findings: string[] = [];
  readonly #waiting = new Map<string, (message: z.infer<typeof MessageSchema>) => void>();
  readonly #counts = { answers: 0, errors: 0, runs: 0 };
  readonly #codes = new Map<string, number>();
  #rest = "";
  #isGone = false;

  constructor(child: ChildProcessWithoutNullStreams, seed: number) {
    this.#child = child;
    this.#seed = seed;
    const decoder = new TextDecoder();
    child.stdout.on("data", (chunk: Buffer) => this.#hear(decoder.decode(chunk, { stream: true })));
    child.stderr.resume();
    child.stdin.on("error", () => undefined);
    child.on("close", (code, signal) => {
      this.#isGone = true;
      this.#findings.push(`the process ended (${code ?? signal})`);
      for (const resolve of this.#waiting.values()) resolve({ jsonrpc: "2.0" });
    });
  }

  async run(
    count: number,
    place: Parameters<typeof frame>[1],
    progress: (done: number, residentMb: number) => void,
  ): Promise<WireFuzzReport> {
    const hello = {
      protocol_version: 1,
      client: { name: "fuzz", version: "1" },
      capabilities: { ui: ["confirm"] },
    };
    await this.#request("initialize", hello);
    await this.#request("trust.add", { path: place.cwd });
    let peakMb = 0;
    let done = 0;
    for (; done < count && !this.#isGone; done += batch) {
      const frames = Array.from({ length: Math.min(batch, count - done) }, (_, at) =>
        // Every frame has its own randomness, so that one can be made again without the others.
        frame(new Random(Math.imul(this.#seed, 0x9e3779b1) + done + at), place),
      );
      for (const bytes of frames) await this.#send(bytes);
      await this.#sound();
      const { residentMb } = this.#isGone ? { residentMb: 0 } : stateOf(this.#child.pid ?? 0);
      peakMb = Math.max(peakMb, residentMb);
      progress(Math.min(done + batch, count), residentMb);
    }
    if (!this.#isGone) {
      this.#child.removeAllListeners("close");
      this.#child.stdin.end();
      const code = await new Promise<number | null>((resolve) => this.#child.on("close", resolve));
      if (code !== 0) this.#findings.push(`at the end of its input the process ended with ${code}`);
    }
    return {
      frames: Math.min(done, count),
      ...this.#counts,
      codes: this.#codes,
      peakMb,
      findings: this.#findings,
    };
  }

  /** A sound request among the others; one that comes while too many are worked on is sent again. */
  async #sound(): Promise<void> {
    for (;;) {
      const { error, ...answer } = await this.#request("trust.list", {});
      if (error?.data.code === "busy") continue;
      if (!this.#isGone && !("result" in answer))
        this.#findings.push(`a sound request got ${JSON.stringify(error)}`);
      return;
    }
  }

  #lastId = 0;

  async #request(method: string, params: unknown): Promise<z.infer<typeof MessageSchema>> {
    if (this.#isGone) return { jsonrpc: "2.0" };
    this.#lastId += 1;
    const id = `sound-${this.#lastId}`;
    const answer = new Promise<z.infer<typeof MessageSchema>>((resolve) => this.#waiting.set(id, resolve));
    await this.#send(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
    return answer;
  }

  #send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.#child.stdin.write(bytes);
      this.#child.stdin.write("\n", () => resolve());
    });
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    const parsed = MessageSchema.safeParse(parseJson(line));
    if (!parsed.success) {
      this.#findings.push(`said something that is no message: ${line.slice(0, 200)}`);
      return;
    }
    const message = parsed.data;
    this.#counts.answers += 1;
    if (message.error !== undefined) {
      this.#counts.errors += 1;
      const { code } = message.error.data;
      this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    }
    if (message.error?.data.code === "internal")
      this.#findings.push(`an internal error: ${line.slice(0, 500)}`);
    if (line.includes('"type":"run.started"')) this.#counts.runs += 1;
    const id = String(message.id);
    if (message.method !== undefined || !id.startsWith("sound-")) return;
    const resolve = this.#waiting.get(id);
    if (resolve === undefined) this.#findings.push(`a second answer: ${line.slice(0, 200)}`);
    this.#waiting.delete(id);
    resolve?.(message);
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

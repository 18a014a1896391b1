// The terminal UI: from the start of the compiled program to its first frame, and from a key to the screen, in a real
// PTY. The first frame is held against the fastest run, keys against their p95 with a session of 10,000 messages.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { type Bar, median, report } from "./measure.ts";
import { makeLongSession } from "./sessions/long-session.ts";
import { makePlace, modelArguments, type Place } from "./sessions/place.ts";

const executable = resolve(import.meta.dir, "../dist/codelia");
const runs = Number(process.env.CODELIA_BENCH_RUNS ?? 15);
const keyCount = 300;
const ready = "Ask for something.";

/** The program in a terminal, and when it wrote what. */
class Screened {
  readonly #start = performance.now();
  readonly #decoder = new TextDecoder();
  readonly #process: Bun.Subprocess;
  #waiting: { readonly text: string; readonly found: (ms: number) => void } | undefined;
  #written = "";

  constructor({ repository, home }: Place, args: readonly string[]) {
    this.#process = Bun.spawn([executable, ...args], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? "", HOME: home, PWD: repository, TERM: "xterm-256color" },
      terminal: {
        cols: 120,
        rows: 40,
        data: (_, bytes) => {
          this.#written += this.#decoder.decode(bytes, { stream: true });
          this.#look();
        },
      },
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** @output milliseconds from the start of the program until this was written */
  wrote(text: string): Promise<number> {
    return new Promise((found) => {
      this.#waiting = { text, found: (now) => found(now - this.#start) };
      this.#look();
    });
  }

  /** @output milliseconds from the key to the text on the screen */
  async key(key: string, shown: string): Promise<number> {
    this.#written = "";
    const before = performance.now() - this.#start;
    this.#process.terminal?.write(key);
    return (await this.wrote(shown)) - before;
  }

  async end(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#process.exited;
    this.#process.terminal?.close();
  }

  #look(): void {
    if (this.#waiting === undefined || !this.#written.includes(this.#waiting.text)) return;
    const { found } = this.#waiting;
    this.#waiting = undefined;
    found(performance.now());
  }
}

async function firstFrame(place: Place): Promise<Bar> {
  const args = modelArguments(place, "hello", [{ text: "Hello." }]);
  const times: number[] = [];
  const worked: number[] = [];
  for (let run = -2; run < runs; run += 1) {
    const screened = new Screened(place, args);
    const time = await screened.wrote(ready);
    if (run >= 0) worked.push(processorMilliseconds(screened.pid));
    await screened.end();
    if (run >= 0) times.push(time);
  }
  return {
    name: "first frame after the start",
    value: Math.min(...times),
    bar: 150,
    unit: " ms",
    detail: `median ${median(times).toFixed(0)} ms of ${runs} runs; processor time ${median(worked).toFixed(0)} ms, which other programs do not change`,
  };
}

async function keys(place: Place): Promise<Bar[]> {
  const long = await makeLongSession(place);
  const args = [...modelArguments(place, "go-on", [{ text: "Hello." }]), "--resume", long.id];
  const screened = new Screened(place, args);
  const shown = await screened.wrote("All was read.");
  await screened.wrote(ready);
  const times: number[] = [];
  for (let count = 0; count < keyCount; count += 1) {
    const letter = String.fromCharCode(97 + (count % 26));
    // Words, so that lines wrap as they do when somebody writes.
    const key = count % 7 === 6 ? " " : letter;
    const time = await screened.key(key, key);
    if (count >= 20) times.push(time);
  }
  const memory = residentMegabytes(screened.pid);
  await screened.end();
  const sorted = times.toSorted((a, b) => a - b);
  const p = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return [
    {
      name: `key to screen, p95, in a session of ${long.messages} messages`,
      value: p(0.95),
      bar: 16,
      unit: " ms",
      detail: `p50 ${p(0.5).toFixed(2)} ms, p99 ${p(0.99).toFixed(2)} ms, ${times.length} keys; the end of the session shown after ${shown.toFixed(0)} ms; ${memory.toFixed(0)} MB resident`,
    },
  ];
}

/** Of all its threads so far, which a busy machine does not make longer; Linux only. */
function processorMilliseconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Linux only. */
function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

const place = makePlace();
try {
  const bars = [await firstFrame(place), ...(await keys(place))];
  process.exitCode = report("Terminal UI", bars) ? 0 : 1;
} finally {
  rmSync(place.folder, { recursive: true, force: true });
}

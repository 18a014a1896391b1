// A program in a real PTY, and what a terminal shows of it: an emulator reads everything that is written. Tests wait
// for what is on the screen, never for time.

import { resolve } from "node:path";
import { Terminal } from "@xterm/headless";
import { repository } from "./codelia.ts";

export interface TerminalOptions {
  readonly cwd: string;
  readonly home: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What is started; codelia when absent. */
  readonly command?: readonly string[];
}

/** Only a test that fails waits that long. */
const patienceMs = 60_000;

/** What a terminal sends for a key. */
export const keys = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  altEnter: "\u001b\r",
  backspace: "\u007f",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlO: "\u000f",
  ctrlU: "\u0015",
  ctrlW: "\u0017",
} as const;

export const codeliaCommand: readonly string[] = [
  process.execPath,
  resolve(repository, "packages/codelia/src/main.ts"),
];

export class EmulatedTerminal implements AsyncDisposable {
  readonly #emulator: Terminal;
  readonly #process: ReturnType<typeof EmulatedTerminal.prototype.spawn>;
  readonly #decoder = new TextDecoder();
  #looks = new Set<() => void>();
  /** Everything that was written, write by write. */
  readonly writes: string[] = [];

  constructor(args: readonly string[], options: TerminalOptions) {
    const { columns = 80, rows = 24 } = options;
    this.#emulator = new Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
    this.#process = this.spawn(args, options, columns, rows);
    // Questions to the terminal are answered, as a real one does.
    this.#emulator.onData((answer) => this.type(answer));
  }

  private spawn(
    args: readonly string[],
    { cwd, home, env = {}, command = codeliaCommand }: TerminalOptions,
    columns: number,
    rows: number,
  ) {
    return Bun.spawn([...command, ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? "", HOME: home, PWD: cwd, TERM: "xterm-256color", ...env },
      terminal: {
        cols: columns,
        rows,
        data: (_, bytes) => {
          const text = this.#decoder.decode(bytes, { stream: true });
          this.writes.push(text);
          this.#emulator.write(text, () => {
            for (const look of this.#looks) look();
          });
        },
      },
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** What is visible, without the space at the ends of lines and below. */
  get screen(): string {
    const buffer = this.#emulator.buffer.active;
    return this.#lines(buffer.viewportY, buffer.viewportY + this.#emulator.rows);
  }

  /** The scrollback, and what is visible. */
  get everything(): string {
    return this.#lines(0, this.#emulator.buffer.active.length);
  }

  get isPasteMarked(): boolean {
    return this.#emulator.modes.bracketedPasteMode;
  }

  /** Where the cursor is on the screen. */
  get cursor(): { row: number; column: number } {
    const { cursorX, cursorY } = this.#emulator.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  #lines(from: number, to: number): string {
    const buffer = this.#emulator.buffer.active;
    const lines: string[] = [];
    for (let row = from; row < to; row += 1) lines.push(buffer.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  }

  /** Returns when the condition holds. @error with the screen, when it never does */
  waitFor(condition: string | RegExp | (() => boolean)): Promise<void> {
    const holds = () =>
      typeof condition === "function"
        ? condition()
        : typeof condition === "string"
          ? this.screen.includes(condition)
          : condition.test(this.screen);
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        this.#looks.delete(look);
        fail(new Error(`waited for ${String(condition)} in vain. The screen:\n${this.screen}`));
      }, patienceMs);
      const look = () => {
        if (!holds()) return;
        clearTimeout(timer);
        this.#looks.delete(look);
        done();
      };
      this.#looks.add(look);
      look();
    });
  }

  type(text: string): void {
    this.#process.terminal?.write(text);
  }

  paste(text: string): void {
    this.type(`\u001b[200~${text}\u001b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#process.terminal?.resize(columns, rows);
  }

  /** To the program, and to what it started. */
  kill(signal: NodeJS.Signals): void {
    process.kill(-this.#process.pid, signal);
  }

  /** The exit code, when all that was written has been read. */
  async exited(): Promise<number> {
    const code = await this.#process.exited;
    await new Promise<void>((read) => this.#emulator.write("", read));
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGTERM");
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 10_000);
    await this.#process.exited;
    clearTimeout(timer);
    this.#process.terminal?.close();
    this.#emulator.dispose();
  }
}

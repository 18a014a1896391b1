// A user's desk for tests of the terminal UI: a repository, an empty home, a scripted model, an emulated terminal.
import { mkdirSync, writeFileSync } from "node:fs";
import { EmulatedTerminal, keys, type TerminalOptions } from "../../../test/support/emulated-terminal.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";

export interface OpenOptions extends Pick<TerminalOptions, "columns" | "rows" | "env"> {
  readonly args?: readonly string[];
  /** Asks for nothing and runs commands without a sandbox, so that tests can hold a run up. */
  readonly free?: boolean;
}

export class TuiDesk implements AsyncDisposable {
  readonly tree: TemporaryTree;
  readonly #terminals: EmulatedTerminal[] = [];

  constructor(description: TreeDescription = {}) {
    this.tree = new TemporaryTree({ "repo/.git/": "", "home/": "", ...description });
    this.script([{ text: "Hello." }]);
  }

  /** What the model says from the next prompt on. */
  script(turns: readonly unknown[], script: Readonly<Record<string, unknown>> = {}): void {
    writeFileSync(this.tree.at("script.json"), JSON.stringify({ turns, ...script }));
  }

  configure(config: unknown): void {
    mkdirSync(this.tree.at("home/.codelia"), { recursive: true });
    writeFileSync(this.tree.at("home/.codelia/config.json"), JSON.stringify(config));
  }

  start({ args = ["--trust"], free = false, ...options }: OpenOptions = {}): EmulatedTerminal {
    const freedom = free ? ["--approval", "full", "-c", "sandbox.enabled=off"] : [];
    const terminal = new EmulatedTerminal(["-m", "scripted/../script.json", ...args, ...freedom], {
      cwd: this.tree.at("repo"),
      home: this.tree.at("home"),
      ...options,
    });
    this.#terminals.push(terminal);
    return terminal;
  }

  /** Returns when the user can write. */
  async open(options: OpenOptions = {}): Promise<EmulatedTerminal> {
    const terminal = this.start(options);
    await terminal.waitFor("Ask for something.");
    return terminal;
  }

  /** The screen with what differs from run to run made the same: places and times. */
  screen(terminal: EmulatedTerminal): string {
    return this.plain(terminal.screen);
  }

  plain(text: string): string {
    return text
      .replaceAll(this.tree.at("."), "")
      .replaceAll(this.tree.at("").replace(/\/$/, ""), "")
      .replace(/\d+(\.\d+)? (ms|s)\b/g, "N s")
      .replace(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gmu, "*")
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const terminal of this.#terminals) await terminal[Symbol.asyncDispose]();
    this.tree[Symbol.dispose]();
  }
}

/** Returns when nothing is under way. */
export function rest(terminal: EmulatedTerminal): Promise<void> {
  return terminal.waitFor(() => !/escape cancels|cancelling/.test(terminal.screen));
}

export async function say(terminal: EmulatedTerminal, text: string): Promise<void> {
  terminal.type(text);
  await terminal.waitFor(text);
  terminal.type(keys.enter);
}

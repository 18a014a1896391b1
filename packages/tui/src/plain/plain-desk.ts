// The terminal UI line by line, for screen readers and simple terminals: nothing is ever redrawn, and every choice is
// a numbered list.
import type { Client, ConfirmParams, ConfirmResult, RunEvent } from "@codelia/protocol";
import type { TuiSettings, TuiTheme } from "@codelia/shared-types";
import { permissionAnswers, permissionLines, permissionResult } from "../app/index.ts";
import { isCommand, runCommand } from "../commands/index.ts";
import { type Conversation, costText } from "../conversation/index.ts";
import type { AskRequest, Desk, PickRequest } from "../desk.ts";
import { Bindings } from "../input/index.ts";
import { exitCode, type TuiIo } from "../io.ts";
import { createStyle, shownLine } from "../screen/index.ts";
import { problemBlock, RunView } from "../transcript/index.ts";

export interface PlainOptions {
  readonly io: TuiIo;
  readonly cwd: string;
  readonly conversation: Conversation;
  readonly client: Client;
  readonly bindings: TuiSettings["keys"];
}

const maxListed = 20;

export class PlainDesk implements Desk {
  readonly cwd: string;
  readonly conversation: Conversation;
  readonly bindings: Bindings;
  readonly style = createStyle("none");
  client: Client;
  readonly #io: TuiIo;
  readonly #view: RunView;
  /** Put before what the user types next. */
  #prefix = "";
  #isLeaving = false;
  #lastOutput = "";

  constructor({ io, cwd, conversation, client, bindings }: PlainOptions) {
    this.#io = io;
    this.cwd = cwd;
    this.client = client;
    this.conversation = conversation;
    this.bindings = new Bindings(bindings);
    this.#view = new RunView({
      print: (lines) => this.print(lines),
      width: () => this.width,
      style: () => this.style,
      clock: io.clock,
    });
  }

  get width(): number {
    return Math.max(20, this.#io.terminal.columns);
  }

  get outputs() {
    return this.#view.outputs;
  }

  /** @output the exit code, at `/quit`, at the end of the input, or when the program is told to end */
  async run(begin: () => Promise<void>): Promise<number> {
    const ended = Promise.withResolvers<number>();
    const stop = this.#io.onSignal((signal) => {
      if (signal === "SIGINT" && this.conversation.isRunning) this.conversation.cancel();
      else ended.resolve(signal === "SIGINT" ? exitCode.interrupted : exitCode.terminated);
    });
    try {
      this.print(["codelia, line by line. /help says what can be typed; an empty line does nothing."]);
      const work = begin().then(() => this.#readOn());
      return await Promise.race([ended.promise, work]);
    } finally {
      stop();
    }
  }

  print(lines: readonly string[]): void {
    // Empty lines are read out, too: none where one was just before.
    for (const line of lines) {
      if (line.trim() === "" && this.#lastOutput === "") continue;
      this.#lastOutput = line.trim();
      this.#io.terminal.write(`${line}\n`);
    }
  }

  async pick<T>({ title, load, choose, alternate }: PickRequest<T>): Promise<T | undefined> {
    let query = "";
    for (;;) {
      const items = (await load(query)).slice(0, maxListed);
      this.print([
        title,
        ...items.map(
          ({ label, note }, index) => `${index + 1} ${label}${note === undefined ? "" : `: ${note}`}`,
        ),
        ...(items.length === 0 ? [query === "" ? "there is none" : "nothing fits"] : []),
      ]);
      const other = alternate === undefined ? "" : `, x NUMBER to ${alternate.name}`;
      const line = await this.#line(`NUMBER to ${choose}${other}, words to search, empty to go back: `);
      const [, mark, digits] = /^(x ?)?(\d+)$/i.exec(line ?? "") ?? [];
      const item = digits === undefined ? undefined : items[Number(digits) - 1];
      if (line === undefined || line === "") return undefined;
      if (item === undefined) query = line;
      else if (mark === undefined) return item.value;
      else if ((await alternate?.act(item.value)) === "close") return undefined;
    }
  }

  async ask<T>({ title, answers, otherwise }: AskRequest<T>): Promise<{ value: T; words: string }> {
    for (;;) {
      this.print([title, ...answers.map(({ label }, index) => `${index + 1} ${label}`)]);
      const line = await this.#line("NUMBER, or empty for no: ");
      if (line === undefined || line === "") return { value: otherwise, words: "" };
      const answer = answers[Number(line) - 1];
      if (answer === undefined) continue;
      const words = answer.words === undefined ? "" : ((await this.#line(`${answer.words}: `)) ?? "");
      return { value: answer.value, words };
    }
  }

  write(text: string): void {
    this.#prefix = text;
    this.print([`Your next prompt begins with ${text.trim()}`]);
  }

  remember(): void {
    // The terminal's own line editing has no history to give prompts to.
  }

  useTheme(_theme: TuiTheme): void {
    // There are no colours here; the choice counts for the next start.
  }

  async work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.print(["working"]);
    try {
      await task(this.conversation.begin());
    } finally {
      this.conversation.finish();
    }
  }

  leave(): void {
    this.#isLeaving = true;
  }

  async #readOn(): Promise<number> {
    while (!this.#isLeaving) {
      const line = await this.#line("> ");
      if (line === undefined) break;
      const text = `${this.#prefix}${line}`;
      if (text.trim() === "") continue;
      this.#prefix = "";
      if (isCommand(text)) await runCommand(this, text);
      else await this.#prompt(text);
    }
    return exitCode.done;
  }

  async #prompt(text: string): Promise<void> {
    try {
      this.#view.begin();
      const result = await this.conversation.run(
        this.client,
        { text, images: [] },
        {
          emit: (event) => this.#tell(event),
          confirm: (question) => this.#confirm(question),
        },
      );
      this.#view.end();
      if (result.status === "interrupted") this.print(["interrupted"]);
      if (result.error !== undefined)
        this.print(problemBlock(result.error, result.hint, this.width, this.style));
      const { totals } = this.conversation;
      this.print([
        `${totals.usage.input_tokens} tokens in, ${totals.usage.output_tokens} out, ${costText(totals)}`,
      ]);
    } catch (error) {
      this.#view.end();
      this.print(
        problemBlock(
          error instanceof Error ? error.message : String(error),
          undefined,
          this.width,
          this.style,
        ),
      );
    }
  }

  #tell(event: RunEvent): void {
    if (event.type === "tool.started") this.print([`… ${shownLine(event.title)}`]);
    this.#view.take(event);
  }

  async #confirm(question: ConfirmParams): Promise<ConfirmResult> {
    this.#view.asked(question.call_id);
    this.print(permissionLines(question, this.width, this.style));
    const { value, words } = await this.ask<ConfirmResult["decision"]>({
      title: "May it?",
      answers: permissionAnswers(question),
      otherwise: "deny",
    });
    return permissionResult(value, words);
  }

  async #line(prompt: string): Promise<string | undefined> {
    this.#io.terminal.write(prompt);
    this.#lastOutput = "";
    return (await this.#io.readLine())?.trim();
  }
}

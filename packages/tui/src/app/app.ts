// The terminal UI on a screen that is redrawn: joins keyboard, composer, dialogs, the run and the lines that stay.
import type { Client, ConfirmParams, ConfirmResult } from "@codelia/protocol";
import type { TuiAction, TuiSettings, TuiTheme } from "@codelia/shared-types";
import { commands, isCommand, runCommand } from "../commands/index.ts";
import { createCompletion } from "../completion/index.ts";
import { Composer, type Message } from "../composer/index.ts";
import { type Conversation, statusLine } from "../conversation/index.ts";
import type { AskRequest, Desk, PickRequest } from "../desk.ts";
import type { Dialog } from "../dialogs/index.ts";
import { Bindings, type Press } from "../input/index.ts";
import { exitCode, type TuiIo } from "../io.ts";
import { createStyle, fitted, type LivePart, type Style, shownLine, themeFor } from "../screen/index.ts";
import { noticeBlock, problemBlock, promptBlock, RunView } from "../transcript/index.ts";
import { DialogStack } from "./dialog-stack.ts";
import { Display } from "./display.ts";
import { outputLines } from "./outputs.ts";
import { permissionAnswers, permissionLines, permissionResult } from "./permission-question.ts";
import { type Ended, Work } from "./work.ts";

export interface AppOptions {
  readonly io: TuiIo;
  readonly cwd: string;
  readonly settings: TuiSettings;
  readonly conversation: Conversation;
  readonly client: Client;
}

const leavingMs = 3000;
const hint = "Ask for something. /help says what else can be typed.";

export class App implements Desk {
  readonly cwd: string;
  readonly conversation: Conversation;
  readonly bindings: Bindings;
  client: Client;
  style: Style;
  readonly #io: TuiIo;
  readonly #display: Display;
  readonly #composer: Composer;
  readonly #view: RunView;
  readonly #work: Work;
  readonly #dialogs: DialogStack;
  #isLeaving = false;
  /** Ctrl-C was pressed when there was nothing to cancel. */
  #isAboutToLeave = false;
  #ended = Promise.withResolvers<number>();

  constructor({ io, cwd, settings, conversation, client }: AppOptions) {
    this.#io = io;
    this.cwd = cwd;
    this.client = client;
    this.conversation = conversation;
    this.style = createStyle(themeFor(io.env, settings.theme));
    this.bindings = new Bindings(settings.keys);
    this.#display = new Display(io, {
      render: () => this.#render(),
      onPress: (press) => this.#press(press),
      isMoving: () => this.#work.isRunning,
    });
    const changed = () => this.#display.changed();
    this.#composer = new Composer({
      complete: createCompletion({ client: () => this.client, cwd, commands }),
      readFile: io.readFile,
      onChange: () => this.#display.draw(),
    });
    this.#dialogs = new DialogStack({
      bindings: this.bindings,
      isFree: () => this.#composer.isEmpty,
      pass: (press) => void this.#composer.press(press),
      draw: () => this.#display.draw(),
      changed,
    });
    this.#view = new RunView({
      print: (lines) => this.print(lines),
      width: () => this.width,
      style: () => this.style,
      clock: io.clock,
    });
    this.#work = new Work({
      client: () => this.client,
      conversation,
      begin: (message) => this.#begin(message),
      emit: (event) => {
        this.#view.take(event);
        changed();
      },
      confirm: (question, signal) => this.#confirm(question, signal),
      end: (ended) => this.#end(ended),
      changed,
    });
  }

  get width(): number {
    return Math.max(20, this.#io.terminal.columns);
  }

  get outputs() {
    return this.#view.outputs;
  }

  /** @output the exit code, when the user leaves */
  async run(): Promise<number> {
    // First: once the terminal is taken, every end has to give it back.
    const stop = this.#io.onSignal((signal) => {
      this.#leaveWith(signal === "SIGINT" ? exitCode.interrupted : exitCode.terminated);
    });
    this.#display.open(this.bindings);
    try {
      return await this.#ended.promise;
    } finally {
      stop();
      this.#display.close();
    }
  }

  print(lines: readonly string[]): void {
    this.#display.print(lines);
  }

  notice(text: string): void {
    this.print(noticeBlock(text, this.width, this.style));
  }

  pick<T>(request: PickRequest<T>): Promise<T | undefined> {
    return this.#dialogs.pick(request);
  }

  ask<T>(request: AskRequest<T>): Promise<{ value: T; words: string }> {
    return this.#dialogs.ask(request);
  }

  write(text: string): void {
    this.#composer.insert(text);
    this.#display.changed();
  }

  remember(prompts: readonly string[]): void {
    this.#composer.history.load(prompts);
  }

  useTheme(theme: TuiTheme): void {
    this.style = createStyle(themeFor(this.#io.env, theme));
    this.#display.changed();
  }

  async work(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#view.begin();
    await this.#work.do(task);
  }

  leave(): void {
    this.#leaveWith(exitCode.done);
  }

  #leaveWith(code: number): void {
    const isAgain = this.#isLeaving;
    this.#isLeaving = true;
    this.#dialogs.dismissAll();
    if (this.#work.isRunning && !isAgain) {
      this.#work.cancel();
      this.#display.changed();
      // A run that does not end is left behind after a while, or when the user insists.
      setTimeout(() => this.#ended.resolve(code), leavingMs).unref();
      void this.#work.rest().then(() => this.#ended.resolve(code));
    } else this.#ended.resolve(code);
  }

  async #confirm(question: ConfirmParams, signal?: AbortSignal): Promise<ConfirmResult> {
    if (this.#isLeaving) return { decision: "deny" };
    this.#view.asked(question.call_id);
    this.print(permissionLines(question, this.width, this.style));
    const request = {
      title: "May it?",
      answers: permissionAnswers(question),
      otherwise: "deny" as const,
    };
    const { value, words } = await this.#dialogs.ask(request, signal);
    return permissionResult(value, words);
  }

  #begin({ shown }: Message): void {
    this.print(promptBlock(shown, this.width, this.style));
    this.#view.begin();
  }

  #end({ problem, hint: advice, isInterrupted, returned }: Ended): void {
    this.#view.end();
    if (isInterrupted) this.notice("interrupted");
    if (problem !== undefined) this.print(problemBlock(problem, advice, this.width, this.style));
    if (returned.length > 0 && this.#composer.isEmpty) {
      this.#composer.set(returned.map(({ text }) => text).join("\n"));
    }
    this.#display.changed();
  }

  #press(press: Press): void {
    const isInterrupt = press.actions.includes("interrupt");
    if (!isInterrupt) this.#isAboutToLeave = false;
    const dialog = this.#dialogs.top;
    if (isInterrupt) this.#interrupt(dialog);
    else if (dialog !== undefined) dialog.press(press);
    else if (!press.actions.some((action) => this.#actions[action]?.() ?? false)) this.#composer.press(press);
  }

  /** What a key does before the composer gets it; false: the composer takes it. */
  readonly #actions: Partial<Record<TuiAction, () => boolean>> = {
    submit: () => {
      if (!this.#composer.acceptCompletion()) this.#submit();
      return true;
    },
    queue: () => this.#queue(),
    cancel: () => {
      if (this.#composer.isCompleting || !this.#work.isRunning) return false;
      this.#work.cancel();
      return true;
    },
    leave: () => {
      if (!this.#composer.isEmpty) return false;
      this.leave();
      return true;
    },
    suspend: () => {
      void this.#display.suspend();
      return true;
    },
    show_output: () => {
      this.print(outputLines(this.outputs, this.width, this.style));
      return true;
    },
    paste_image: () => {
      void this.#pasteImage();
      return true;
    },
  };

  #interrupt(dialog: Dialog | undefined): void {
    dialog?.dismiss();
    if (this.#work.isRunning) {
      if (this.#work.isCancelling) this.#leaveWith(exitCode.interrupted);
      else this.#work.cancel();
    } else if (dialog !== undefined) return;
    else if (!this.#composer.isEmpty) this.#composer.clear();
    else if (this.#isAboutToLeave) this.leave();
    else this.#isAboutToLeave = true;
  }

  #submit(): void {
    const message = this.#composer.take();
    if (message === undefined) return;
    if (isCommand(message.text)) void runCommand(this, message.text);
    else if (this.#work.isRunning) void this.#work.steer(message);
    else this.#work.start(message);
  }

  /** @output false: there is nothing to wait for */
  #queue(): boolean {
    if (!this.#work.isRunning || this.#composer.isCompleting) return false;
    const message = this.#composer.take();
    if (message !== undefined) this.#work.queue(message);
    return message !== undefined;
  }

  async #pasteImage(): Promise<void> {
    const bytes = await this.#io.clipboardImage();
    if (bytes === undefined) this.notice("There is no image in the clipboard that could be read.");
    else if (!this.#composer.attach(bytes, "clipboard"))
      this.notice("The clipboard's image is neither PNG, JPEG, GIF nor WebP, or it is too large.");
    this.#display.changed();
  }

  #render(): LivePart {
    const { rows } = this.#io.terminal;
    const { width, style } = this;
    const half = Math.max(3, Math.floor(rows / 2));
    const dialog = this.#dialogs.top;
    const lower = dialog?.render(width, half, style) ?? this.#composer.render(width, half, style, hint);
    const waiting = this.#work.waiting.map(({ text, how }) =>
      style.dim(fitted(`  ${how === "said" ? "said" : "next"}: ${shownLine(text)}`, width)),
    );
    const status = statusLine(this.conversation, width, style, this.#state());
    const above = [
      ...this.#view.live(Math.max(2, rows - lower.lines.length - waiting.length - 3), dialog !== undefined),
      ...waiting,
      "",
    ];
    return {
      lines: [...above, ...lower.lines, "", status],
      cursor: lower.cursor && { ...lower.cursor, row: lower.cursor.row + above.length },
    };
  }

  #state(): string {
    const key = (action: TuiAction) => this.bindings.keyFor(action);
    if (this.#isLeaving) return "leaving …";
    if (this.#work.isCancelling) return `cancelling … ${key("interrupt")} leaves`;
    // Escape answers a question; what cancels the run then is the other key.
    if (this.#work.isRunning) return `${key(this.#dialogs.top ? "interrupt" : "cancel")} cancels`;
    return this.#isAboutToLeave ? `${key("interrupt")} again leaves` : "";
  }
}

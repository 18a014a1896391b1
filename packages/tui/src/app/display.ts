// The terminal while the program has it: raw keys in, the live part out, and everything as it was found when it ends.
import { type Bindings, enterModes, InputDecoder, leaveModes, type Press } from "../input/index.ts";
import type { TuiIo } from "../io.ts";
import { type LivePart, Screen } from "../screen/index.ts";

export interface DisplayOptions {
  readonly render: () => LivePart;
  readonly onPress: (press: Press) => void;
  /** Something is under way whose time is shown. */
  readonly isMoving: () => boolean;
}

/** What streams in is drawn together; a key is drawn at once. */
const drawMs = 40;

export class Display {
  readonly #io: Pick<TuiIo, "terminal" | "env" | "onCrash">;
  readonly #options: DisplayOptions;
  readonly #screen: Screen;
  #decoder: InputDecoder | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDrawingSoon = false;
  #isOpen = false;
  #stopListening: (() => void)[] = [];

  constructor(io: Pick<TuiIo, "terminal" | "env" | "onCrash">, options: DisplayOptions) {
    this.#io = io;
    this.#options = options;
    this.#screen = new Screen(io.terminal);
  }

  /** @effects raw mode, until `close` or a crash */
  open(bindings: Bindings): void {
    const { terminal, env, onCrash } = this.#io;
    this.#isOpen = true;
    const isFar = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
    this.#decoder = new InputDecoder(bindings, isFar, (press) => {
      this.#options.onPress(press);
      this.#drawSoon();
    });
    this.#stopListening = [onCrash(() => this.close()), terminal.onResize(() => this.draw())];
    this.#takeTerminal();
    this.draw();
  }

  print(lines: readonly string[]): void {
    this.#screen.print(lines);
    this.changed();
  }

  /** Something on the screen is different: it is drawn with what else comes. */
  changed(): void {
    if (!this.#isOpen) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.draw();
    }, drawMs);
  }

  draw(): void {
    if (!this.#isOpen) return;
    this.#screen.draw(this.#options.render());
    if (this.#options.isMoving()) this.changed();
  }

  /** Stops the program, as a shell's user expects of Ctrl-Z. */
  async suspend(): Promise<void> {
    this.#isOpen = false;
    this.#giveTerminalBack();
    await this.#io.terminal.suspend();
    this.#isOpen = true;
    this.#takeTerminal();
    this.draw();
  }

  /** May be called twice, and at any time. @effects the live part goes, the terminal is as it was found */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#decoder?.close();
    for (const stop of this.#stopListening) stop();
    this.#giveTerminalBack();
  }

  #takeTerminal(): void {
    const { terminal } = this.#io;
    terminal.raw((input) => this.#decoder?.take(input));
    terminal.write(enterModes);
  }

  #giveTerminalBack(): void {
    this.#screen.close();
    this.#io.terminal.write(leaveModes);
    this.#io.terminal.cooked();
  }

  /** Keys that come together are drawn together. */
  #drawSoon(): void {
    if (this.#isDrawingSoon) return;
    this.#isDrawingSoon = true;
    queueMicrotask(() => {
      this.#isDrawingSoon = false;
      this.draw();
    });
  }
}

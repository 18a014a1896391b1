// What takes the place of the composer for a while.
import type { Press } from "../input/index.ts";
import type { Frame, Style } from "../screen/index.ts";

export interface Dialog {
  frame(width: number, maxRows: number, style: Style): Frame;
  press(press: Press): void;
  /** The user wants out, or the program ends. */
  dismiss(): void;
}

// What takes the place of the composer for a while.
import type { Press } from "../input/index.ts";
import type { LivePart, Style } from "../screen/index.ts";

export interface Dialog {
  render(width: number, maxRows: number, style: Style): LivePart;
  press(press: Press): void;
  /** The user wants out, or the program ends. */
  dismiss(): void;
}

// The outputs of the last calls, whole.
import { type Style, shownLine, shownText, wrapped } from "../screen/index.ts";

export function outputLines(
  outputs: readonly { readonly title: string; readonly output: string }[],
  width: number,
  style: Style,
): string[] {
  const last = outputs.at(-1);
  if (last === undefined) return [style.dim("  no tool has said anything yet")];
  return ["", style.bold(shownLine(last.title)), ...wrapped(shownText(last.output), width)];
}

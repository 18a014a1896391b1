// How wide a text gets in a picture.
import { cellsOf } from "@codelia/shared-types";

const narrow = /[iljftrI.,:;|!'()[\] ]/;
const broad = /[mwMW@%—]/;

/** About how wide it is in a usual sans-serif font; rather too wide. */
export function widthOf(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return Math.ceil(ems * fontSize);
}

function emsOf(character: string): number {
  const cells = cellsOf(character);
  if (cells !== 1) return cells === 0 ? 0 : 1.05;
  return narrow.test(character) ? 0.36 : broad.test(character) ? 0.95 : 0.61;
}

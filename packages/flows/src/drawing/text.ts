// Text for pictures: what fits into a box, and how wide it gets.
import { visibleText } from "@codelia/shared-types";

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60\p{Emoji_Presentation}]/u;
const narrow = /[iljftrI.,:;|!'()[\] ]/;
const broad = /[mwMW@%—]/;

/** One line, characters that act made visible, cut where it gets too long. */
export function fitting(text: string, maxCharacters: number): string {
  const start = text.slice(0, 8 * maxCharacters).toWellFormed();
  const characters = Array.from(visibleText(start.replaceAll(/\s+/g, " ").trim()));
  const isWhole = characters.length <= maxCharacters && start.length === text.length;
  return isWhole ? characters.join("") : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}

/** About how wide it is in a usual sans-serif font; rather too wide. */
export function widthOf(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    ems += wide.test(character) ? 1.05 : narrow.test(character) ? 0.36 : broad.test(character) ? 0.95 : 0.61;
  }
  return Math.ceil(ems * fontSize);
}

// Makes characters visible that would act on a terminal or hide in a line of text.

// Controls, format characters (zero width, bidirectional marks, byte order mark, tags), line separators.
const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const actingBesidesLayout = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A name on one line: unchanged where it is harmless, otherwise quoted like a JSON string. */
export function visibleName(name: string): string {
  if (name.search(acting) < 0) return name;
  return JSON.stringify(name).replace(acting, escapeCharacter);
}

/** Text of several lines for a terminal: line feeds and tabs stay, everything that acts is escaped. */
export function visibleText(text: string): string {
  return text.replace(actingBesidesLayout, escapeCharacter);
}

/** JSON whose strings carry no acting character as itself; it parses to the same value. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2);
  return json.replace(actingBesidesLayout, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeCharacter(character.charAt(index))).join(""),
  );
}

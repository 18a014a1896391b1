// Makes characters visible that would act on a terminal or hide in a line of text.

// Controls, format characters (zero width, bidirectional marks, byte order mark, tags), line separators, and what is
// drawn as nothing: fillers, joiners, variation selectors. U+FE0F stays, half of all emoji end with it.
const acting = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const actingBesidesLayout = /(?![\n\t]|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

// What acts on a terminal. Format characters do not: they belong to emoji and to many scripts.
const controls = /(?![\n\t]|\r\n)\p{Cc}/gu;

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

/**
 * Text for a pipe, whose end may be a terminal after all: only what would act there is escaped, everything else stays
 * as it is. Line ends of either kind and tabs stay.
 */
export function pipedText(text: string): string {
  return text.replace(controls, escapeCharacter);
}

/** JSON whose strings carry no acting character as itself; it parses to the same value. */
export function visibleJson(value: unknown, layout: "indented" | "one-line" = "indented"): string {
  const json = JSON.stringify(value, undefined, layout === "indented" ? 2 : undefined);
  return json.replace(actingBesidesLayout, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeCharacter(character.charAt(index))).join(""),
  );
}

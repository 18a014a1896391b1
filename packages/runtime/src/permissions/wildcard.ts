// Wildcards of rules. Matching takes time in proportion to pattern × text, whatever the pattern: rules may come from a
// repository.

export type GlobPart =
  | { readonly kind: "literal"; readonly text: string }
  /** `?`: one character. */
  | { readonly kind: "one" }
  /** `*`: any text. */
  | { readonly kind: "any" };

/** @output undefined when it ends with a lone backslash */
export function parseWildcards(
  glob: string,
  { questionMark }: { questionMark: boolean },
): GlobPart[] | undefined {
  const parts: GlobPart[] = [];
  const characters = Array.from(glob);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    if (character === "*") parts.push({ kind: "any" });
    else if (character === "?" && questionMark) parts.push({ kind: "one" });
    else if (character === "\\") {
      index += 1;
      const text = characters[index];
      if (text === undefined) return undefined;
      parts.push({ kind: "literal", text });
    } else parts.push({ kind: "literal", text: character });
  }
  return parts;
}

export function matchesWildcards(parts: readonly GlobPart[], text: string): boolean {
  return matchesSequence(
    parts,
    Array.from(text),
    ({ kind }) => kind === "any",
    (part, character) => part.kind === "one" || (part.kind === "literal" && part.text === character),
  );
}

/** A pattern in which some parts stand for any number of items. */
export function matchesSequence<Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  isAny: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean {
  let at = 0;
  // To go back to the last such part is enough: an earlier one could only leave less for it.
  let lastAny = -1;
  let taken = 0;
  let index = 0;
  while (index < items.length) {
    const part = pattern[at];
    const item = items[index];
    if (part !== undefined && isAny(part)) {
      lastAny = at;
      at += 1;
      taken = index;
    } else if (part !== undefined && item !== undefined && fits(part, item)) {
      at += 1;
      index += 1;
    } else if (lastAny >= 0) {
      at = lastAny + 1;
      taken += 1;
      index = taken;
    } else return false;
  }
  return pattern.slice(at).every(isAny);
}

/** A glob that matches exactly this text. */
export function escapeGlob(text: string): string {
  return text.replaceAll(/[\\*?]/g, (character) => `\\${character}`);
}

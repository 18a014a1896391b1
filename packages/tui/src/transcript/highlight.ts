// Colours for code: comments, strings, numbers and keywords of the languages that models write most. Not a grammar:
// what is not known stays plain, and every character of the code is there.
import type { Style } from "../screen/index.ts";

interface Family {
  readonly comment: string;
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string) => new Set(text.split(" "));

const cLike: Family = {
  comment: /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/u.source,
  keywords: words(
    "abstract as async await bool boolean break case catch char class const continue declare default defer delete do double dyn else enum export extends extern false final finally float fn for from func function go if impl implements import in instanceof int interface let long loop match mod module mut namespace new nil null of override package private protected pub public readonly return satisfies self static string struct super switch this throw throws trait true try type typeof undefined union unsafe use using val var void where while yield",
  ),
};
const hashLike: Family = {
  comment: "#.*",
  keywords: words(
    "and as assert async await begin break case class continue def del do done elif else end esac except exit export False fi finally for from function global if import in is lambda local module next nil None nonlocal not or pass raise rescue return self set then True try unless until while with yield",
  ),
};
const dashLike: Family = {
  comment: "--.*",
  keywords: words(
    "add all alter and as asc begin by case commit create default delete desc distinct drop else end exists false foreign from function group having if in index inner insert into is join key left like limit local nil not null on or order primary references return returning rollback select set table then true union unique update values view when where with",
  ),
};
const dataLike: Family = { comment: /#.*|\/\/.*/u.source, keywords: words("true false null yes no on off") };

const families: readonly (readonly [RegExp, Family])[] = [
  [
    /^(ts|tsx|js|jsx|mjs|cjs|typescript|javascript|java|kotlin|c|cc|cpp|h|hpp|cs|csharp|go|rust|rs|swift|php|scala|dart|css|scss)$/,
    cLike,
  ],
  [
    /^(py|python|sh|bash|zsh|shell|console|rb|ruby|make|makefile|dockerfile|perl|r|elixir|fish|powershell)$/,
    hashLike,
  ],
  [/^(sql|lua|haskell|hs|elm)$/, dashLike],
  [/^(json|jsonc|json5|yaml|yml|toml|ini|properties)$/, dataLike],
];

const strings = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?/u.source;
const rest = /\b\d[\w.]*|[\p{L}_$][\p{L}\p{N}_$]*/u.source;

/** @input code that is harmless already @output its lines */
export function highlightCode(code: string, language: string | undefined, style: Style): string[] {
  const name = (language ?? "").trim().toLowerCase();
  if (name === "diff" || name === "patch") return code.split("\n").map((line) => diffLine(line, style));
  const family = families.find(([names]) => names.test(name))?.[1];
  if (family === undefined) return code.split("\n");
  const token = new RegExp(`(${family.comment})|(${strings})|(${rest})`, "gu");
  const text = code.replace(token, (all: string, comment?: string, quoted?: string) => {
    const paint =
      comment !== undefined
        ? style.dim
        : quoted !== undefined
          ? style.string
          : /^\d/.test(all)
            ? style.number
            : family.keywords.has(all)
              ? style.keyword
              : undefined;
    // A style ends with its line, so that each line can be drawn by itself.
    return paint === undefined ? all : all.split("\n").map(paint).join("\n");
  });
  return text.split("\n");
}

export function diffLine(line: string, style: Style): string {
  if (line.startsWith("@@")) return style.accent(line);
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("+")) return style.good(line);
  if (line.startsWith("-")) return style.bad(line);
  return line;
}

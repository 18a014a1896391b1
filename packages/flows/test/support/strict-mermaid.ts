// The part of Mermaid's flowcharts that is written here, as a strict grammar: a line that says anything else is refused.
// Held once against Mermaid 12 itself, which is too large to be installed for it.

const text = String.raw`(?:[\p{L}\p{M}\p{N} .,:=$/_×·…-]|#\d+;|<br/>)+`;
const id = String.raw`n\d+`;
const node = new RegExp(
  `^  (${id})(?:\\(\\("(${text})"\\)\\)|\\(\\["(${text})"\\]\\)|\\["(${text})"\\])$`,
  "u",
);
const edge = new RegExp(`^  (${id}) (?:-->|-\\.->)(?:\\|"(${text})"\\|)? (${id})$`, "u");
const style = new RegExp(
  `^  (?:classDef [a-z]+ [a-z:#0-9,-]+|class ${id}(?:,${id})* [a-z]+|linkStyle \\d+(?:,\\d+)* stroke-width:3px)$`,
);

export interface Flowchart {
  readonly title: string;
  /** Id → its lines. */
  readonly nodes: ReadonlyMap<string, readonly string[]>;
  readonly edges: readonly (readonly [from: string, to: string, lines: readonly string[]])[];
  readonly styles: readonly string[];
}

/** @error for everything that is not of this grammar, and for ways to nodes that are not there */
export function readMermaid(source: string): Flowchart {
  const [first, title = "", second, kind, ...lines] = source.split("\n");
  if (first !== "---" || second !== "---" || kind !== "flowchart TD" || lines.pop() !== "")
    throw new Error(source);
  const written = /^title: ("(?:[^"\\%#&<>{};`\p{Cc}]|\\.)*")$/u.exec(title)?.[1];
  if (written === undefined) throw new Error(title);
  const nodes = new Map<string, string[]>();
  const edges: [string, string, string[]][] = [];
  const styles: string[] = [];
  for (const line of lines) {
    const [, name, ...texts] = node.exec(line) ?? [];
    const [, from, words, to] = edge.exec(line) ?? [];
    if (name !== undefined) nodes.set(name, decoded(texts.find((each) => each !== undefined)));
    else if (from !== undefined && to !== undefined && nodes.has(from) && nodes.has(to)) {
      edges.push([from, to, decoded(words)]);
    } else if (style.test(line)) styles.push(line.trim());
    else throw new Error(`not of the grammar: ${line}`);
  }
  return { title: String(JSON.parse(written)), nodes, edges, styles };
}

function decoded(words: string | undefined): string[] {
  if (words === undefined) return [];
  return words
    .split("<br/>")
    .map((line) => line.replaceAll(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))));
}

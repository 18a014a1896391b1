// When text to replace is not there: which lines come closest, so that the next attempt can be right.

const maxShown = 3;
const maxCompared = 20_000;
const maxLength = 200;
const leastLikeness = 0.5;

/** @output one or a few sentences with line numbers; never empty */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const sought = wanted.split(/\r?\n/);
  if (sought.some((line) => /^ *\d+\t/.test(line)) && text.includes(withoutNumbers(sought))) {
    return "`old` holds the line numbers that `read` shows. Leave out each number and the tab after it.";
  }
  const block = sameButSpace(lines, sought);
  if (block !== undefined) {
    const range =
      sought.length > 1 ? `Lines ${block + 1}–${block + sought.length} differ` : `Line ${block + 1} differs`;
    return `${range} only in white space:\n${numbered(lines, block, Math.min(sought.length, maxShown * 2))}`;
  }
  const nearest = mostAlike(lines, sought.find((line) => line.trim() !== "") ?? "");
  if (nearest.length === 0) return "No line is similar. Read the file again.";
  return `Similar lines:\n${nearest.map((index) => numbered(lines, index, 1)).join("\n")}`;
}

function withoutNumbers(sought: readonly string[]): string {
  return sought.map((line) => line.replace(/^ *\d+\t/, "")).join("\n");
}

function sameButSpace(lines: readonly string[], sought: readonly string[]): number | undefined {
  const wanted = sought.map(squeezed);
  if (wanted.every((line) => line === "")) return undefined;
  const [first = ""] = wanted;
  const found = lines.findIndex(
    (line, start) =>
      squeezed(line) === first &&
      wanted.every((part, index) => squeezed(lines[start + index] ?? "\0") === part),
  );
  return found < 0 ? undefined : found;
}

function squeezed(line: string): string {
  return line.replace(/\s+/g, "");
}

function mostAlike(lines: readonly string[], wanted: string): number[] {
  const pairs = pairsOf(wanted);
  if (pairs.size === 0) return [];
  return lines
    .slice(0, maxCompared)
    .map((line, index) => ({ index, likeness: likeness(pairs, pairsOf(line)) }))
    .filter((candidate) => candidate.likeness >= leastLikeness)
    .toSorted((a, b) => b.likeness - a.likeness || a.index - b.index)
    .slice(0, maxShown)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
}

/** Neighbouring characters, white space apart. */
function pairsOf(line: string): Set<string> {
  const text = squeezed(line.slice(0, maxLength));
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2));
  return pairs;
}

/** Share of pairs in common, from 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}

function numbered(lines: readonly string[], start: number, count: number): string {
  return lines
    .slice(start, start + count)
    .map((line, index) => `${String(start + index + 1).padStart(5)}\t${line.slice(0, maxLength)}`)
    .join("\n");
}

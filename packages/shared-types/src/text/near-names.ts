// Names that somebody may have meant who mistyped one.

const shown = 3;

/** @output at most three, the nearest first; nothing that takes more changes than a third of the name's letters */
export function nearNames(name: string, names: readonly string[]): string[] {
  // No name is longer, and the work grows with the square.
  const typed = name.slice(0, 64).toLowerCase();
  const limit = Math.max(2, Math.floor(typed.length / 3));
  return [...new Set(names)]
    .map((each) => ({ each, changes: isPart(typed, each) ? 1 : changesBetween(typed, each) }))
    .filter(({ changes }) => changes <= limit)
    .toSorted((a, b) => a.changes - b.changes || (a.each < b.each ? -1 : 1))
    .slice(0, shown)
    .map(({ each }) => each);
}

function isPart(typed: string, name: string): boolean {
  return typed.length >= 3 && name.includes(typed);
}

/** Letters to add, remove, replace, or swap with their neighbour. */
function changesBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

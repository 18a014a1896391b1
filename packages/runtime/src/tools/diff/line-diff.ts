// Which lines two texts share: exact for small changes, coarse but correct for large ones.

/** `beforeLength` lines of the old text from `before` become `afterLength` lines of the new one from `after`. */
export interface LineEdit {
  readonly before: number;
  readonly beforeLength: number;
  readonly after: number;
  readonly afterLength: number;
}

// Table cells of the longest common subsequence; above it, the differing middle is one edit.
const maxCells = 1_000_000;

/** @output edits in order, 0-based, apart from each other; applying them to `before` gives `after` */
export function diffLines(before: readonly string[], after: readonly string[]): LineEdit[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  if (old.length === 0 && fresh.length === 0) return [];
  if (old.length * fresh.length > maxCells) {
    return [{ before: start, beforeLength: old.length, after: start, afterLength: fresh.length }];
  }
  return editsBetween(sharedLines(old, fresh), old.length, fresh.length, start);
}

type Pair = readonly [before: number, after: number];

function sharedLines(old: readonly string[], fresh: readonly string[]): Pair[] {
  const width = fresh.length + 1;
  // lengths[i * width + j]: how many lines the rests from i and from j share.
  const lengths = new Uint32Array((old.length + 1) * width);
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === fresh[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
    if (old[i] === fresh[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1;
    else j += 1;
  }
  return pairs;
}

function editsBetween(shared: readonly Pair[], oldLength: number, freshLength: number, start: number) {
  const edits: LineEdit[] = [];
  let before = 0;
  let after = 0;
  const ends: readonly Pair[] = [...shared, [oldLength, freshLength]];
  for (const [i, j] of ends) {
    if (i > before || j > after) {
      edits.push({
        before: start + before,
        beforeLength: i - before,
        after: start + after,
        afterLength: j - after,
      });
    }
    before = i + 1;
    after = j + 1;
  }
  return edits;
}

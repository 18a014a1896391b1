// From boxes and arrows to layers: which box stands in which row, and a place in every row that an arrow passes.

export interface Box {
  readonly id: string;
  readonly height: number;
  /** What it needs on each side of its middle. */
  readonly left: number;
  readonly right: number;
  /** Stands in the last row. */
  readonly isLast?: boolean;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly labelWidth: number;
  readonly labelHeight: number;
}

/** A box, or the place where an arrow passes a row. Rows of boxes are even, rows of labels between them odd. */
export interface Vertex {
  readonly row: number;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly isBox: boolean;
  /** Neighbours in the rows above and below. */
  readonly above: Vertex[];
  readonly below: Vertex[];
  /** The middle; set by the layout. */
  x: number;
  /** From the left in its row; set by the layout. */
  order: number;
}

export interface LayeredGraph {
  readonly rows: Vertex[][];
  readonly boxes: ReadonlyMap<string, Vertex>;
  /** By the arrow's index: where it passes, from its start to its end, both boxes included. */
  readonly chains: readonly (readonly Vertex[])[];
}

const passingWidth = 12;

/**
 * @input  arrows: between different boxes; those that lead back are turned around for the rows only
 * @output undefined when it would take more than `maxVertices`
 */
export function layeredGraph(
  boxes: readonly Box[],
  arrows: readonly Arrow[],
  maxVertices: number,
): LayeredGraph | undefined {
  const ranks = ranksOf(boxes, arrows);
  const rows: Vertex[][] = [];
  let count = 0;
  const add = (vertex: Omit<Vertex, "above" | "below" | "x" | "order">): Vertex => {
    rows[vertex.row] ??= [];
    const row = rows[vertex.row] ?? [];
    const added = { ...vertex, above: [], below: [], x: 0, order: row.length };
    row.push(added);
    count += 1;
    return added;
  };
  const vertices = new Map(
    boxes.map(({ id, left, right, height }) => [
      id,
      add({ row: 2 * (ranks.get(id) ?? 0), left, right, height, isBox: true }),
    ]),
  );
  const chains: Vertex[][] = [];
  for (const { from, to, labelWidth, labelHeight } of arrows) {
    const [source, target] = [vertices.get(from), vertices.get(to)];
    if (source === undefined || target === undefined) continue;
    const step = source.row < target.row ? 1 : -1;
    const chain = [source];
    for (let row = source.row + step; row !== target.row; row += step) {
      // The words stand where the arrow begins: there somebody asks which way to go.
      const isLabel = row === source.row + step && labelWidth > 0;
      const half = (isLabel ? labelWidth : passingWidth) / 2;
      chain.push(add({ row, left: half, right: half, height: isLabel ? labelHeight : 0, isBox: false }));
      if (count > maxVertices) return undefined;
    }
    chain.push(target);
    join(step === 1 ? chain : chain.toReversed());
    chains.push(chain);
  }
  // A row between boxes may have nothing in it.
  return { rows: Array.from(rows, (row) => row ?? []), boxes: vertices, chains };
}

function join(downwards: readonly Vertex[]): void {
  for (const [index, vertex] of downwards.entries()) {
    const next = downwards[index + 1];
    if (next === undefined) continue;
    vertex.below.push(next);
    next.above.push(vertex);
  }
}

/** Each box as far up as what leads to it allows; arrows that lead back do not count. */
function ranksOf(boxes: readonly Box[], arrows: readonly Arrow[]): Map<string, number> {
  const after = new Map<string, string[]>(boxes.map(({ id }) => [id, []]));
  for (const { from, to } of arrows) after.get(from)?.push(to);
  const { finished, back } = walk(boxes, after);
  const ranks = new Map(boxes.map(({ id }) => [id, 0]));
  for (const from of finished.toReversed()) {
    for (const to of after.get(from) ?? []) {
      if (back.has(`${from} ${to}`)) continue;
      ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(from) ?? 0) + 1));
    }
  }
  const lowest = Math.max(0, ...ranks.values());
  for (const { id, isLast } of boxes) if (isLast === true) ranks.set(id, lowest);
  return ranks;
}

/** Depth first in the order of the definition: an arrow to a box that is under way leads back. */
function walk(
  boxes: readonly Box[],
  after: ReadonlyMap<string, readonly string[]>,
): { readonly finished: string[]; readonly back: ReadonlySet<string> } {
  const state = new Map<string, "open" | "done">();
  const finished: string[] = [];
  const back = new Set<string>();
  for (const { id: first } of boxes) {
    if (state.has(first)) continue;
    state.set(first, "open");
    const path = [{ id: first, next: 0 }];
    for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
      const to = after.get(at.id)?.[at.next];
      at.next += 1;
      if (to === undefined) {
        state.set(at.id, "done");
        finished.push(at.id);
        path.pop();
      } else if (state.get(to) === "open") back.add(`${at.id} ${to}`);
      else if (!state.has(to)) {
        state.set(to, "open");
        path.push({ id: to, next: 0 });
      }
    }
  }
  return { finished, back };
}

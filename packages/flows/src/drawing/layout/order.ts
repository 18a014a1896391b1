// The order within the rows: few crossings, always the same for the same graph.
import type { Vertex } from "./layered-graph.ts";

const sweeps = 12;

/** @effects sets `order` and sorts the rows by it */
export function orderRows(rows: Vertex[][]): void {
  let best = rows.map((row) => [...row]);
  let fewest = crossings(rows);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    for (const row of isDown ? rows : rows.toReversed()) sortRow(row, isDown ? "above" : "below");
    const count = crossings(rows);
    if (count >= fewest) continue;
    fewest = count;
    best = rows.map((row) => [...row]);
  }
  for (const [index, row] of best.entries()) {
    rows[index] = row;
    number(row);
  }
}

/** By the middle of the neighbours; what has none keeps its place. */
function sortRow(row: Vertex[], side: "above" | "below"): void {
  const weights = new Map(
    row.map((vertex) => {
      const orders = vertex[side].map(({ order }) => order);
      return [vertex, orders.length === 0 ? vertex.order : mean(orders)];
    }),
  );
  row.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0) || a.order - b.order);
  number(row);
}

function number(row: readonly Vertex[]): void {
  for (const [order, vertex] of row.entries()) vertex.order = order;
}

function crossings(rows: readonly (readonly Vertex[])[]): number {
  let count = 0;
  for (const row of rows) {
    const ends = row.flatMap((vertex) => vertex.below.map(({ order }) => order).toSorted((a, b) => a - b));
    count += inversions(ends);
  }
  return count;
}

/** Pairs in the wrong order, counted by a tree of sums. */
function inversions(values: readonly number[]): number {
  const size = Math.max(0, ...values) + 1;
  const sums = new Int32Array(size + 1);
  let count = 0;
  for (const [before, value] of values.entries()) {
    let smallerOrEqual = 0;
    for (let at = value + 1; at > 0; at -= at & -at) smallerOrEqual += sums[at] ?? 0;
    count += before - smallerOrEqual;
    for (let at = value + 1; at <= size; at += at & -at) sums[at] = (sums[at] ?? 0) + 1;
  }
  return count;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

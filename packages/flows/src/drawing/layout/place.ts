// Where the vertices of a row stand: near the middle of their neighbours, in order, without touching.
import type { Vertex } from "./layered-graph.ts";

const sweeps = 80;
const gap = 24;

/** @effects sets `x`, the leftmost edge at 0 */
export function placeRows(rows: readonly (readonly Vertex[])[]): void {
  for (const row of rows) pack(row);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const isSettling = sweep >= sweeps / 2;
    for (const row of isDown ? rows : rows.toReversed()) {
      settle(row, (vertex) => {
        const [first, second] = isDown ? [vertex.above, vertex.below] : [vertex.below, vertex.above];
        return isSettling || first.length === 0 ? [...first, ...second] : first;
      });
    }
  }
  const leftmost = Math.min(...rows.flat().map(({ x, left }) => x - left));
  for (const vertex of rows.flat()) vertex.x -= leftmost;
}

function pack(row: readonly Vertex[]): void {
  let edge = 0;
  for (const vertex of row) {
    vertex.x = edge + vertex.left;
    edge = vertex.x + vertex.right + gap;
  }
}

interface Block {
  weight: number;
  /** Where its first vertex would best stand. */
  position: number;
  /** Index after its last vertex. */
  end: number;
}

/**
 * The least squares of all distances from where each vertex would best stand, in this order and with these gaps:
 * neighbours that would touch become one block, which stands at its mean.
 */
function settle(row: readonly Vertex[], neighbours: (vertex: Vertex) => readonly Vertex[]): void {
  const offsets: number[] = [];
  const blocks: Block[] = [];
  let offset = 0;
  for (const [index, vertex] of row.entries()) {
    const before = row[index - 1];
    offset += before === undefined ? 0 : before.right + gap + vertex.left;
    offsets.push(offset);
    const { x, weight } = wish(vertex, neighbours(vertex));
    let block: Block = { weight, position: x - offset, end: index + 1 };
    for (let last = blocks.at(-1); last !== undefined && last.position > block.position; ) {
      const sum = last.weight + block.weight;
      const position = (last.position * last.weight + block.position * block.weight) / sum;
      block = { weight: sum, position, end: block.end };
      blocks.pop();
      last = blocks.at(-1);
    }
    blocks.push(block);
  }
  let index = 0;
  for (const { position, end } of blocks) {
    for (; index < end; index += 1) {
      const vertex = row[index];
      if (vertex !== undefined) vertex.x = position + (offsets[index] ?? 0);
    }
  }
}

/** Arrows that pass many rows shall be straight, so that they pull harder than boxes do. */
function wish(
  vertex: Vertex,
  neighbours: readonly Vertex[],
): { readonly x: number; readonly weight: number } {
  if (neighbours.length === 0) return { x: vertex.x, weight: 0.1 };
  let sum = 0;
  let weight = 0;
  for (const neighbour of neighbours) {
    const pull = (vertex.isBox ? 1 : 3) * (neighbour.isBox ? 1 : 3);
    sum += neighbour.x * pull;
    weight += pull;
  }
  return { x: sum / weight, weight };
}

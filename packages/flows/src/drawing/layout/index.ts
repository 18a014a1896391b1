// A layered layout: rows from the top down, arrows between them. The same graph always gives the same picture.
import { type Arrow, type Box, layeredGraph, type Vertex } from "./layered-graph.ts";
import { orderRows } from "./order.ts";
import { placeRows } from "./place.ts";

export type { Arrow, Box } from "./layered-graph.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedArrow {
  /** From start to end; between two points the line may bend, at each it is vertical. */
  readonly points: readonly Point[];
  /** The middle of the words. */
  readonly label: Point;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The middle of each box, by its id. */
  readonly boxes: ReadonlyMap<string, Point>;
  readonly arrows: readonly PlacedArrow[];
}

// Ways that pass hundreds of rows take a place in each of them.
const maxVertices = 20_000;
const rowGap = 22;

/**
 * @input  arrows: between boxes that are there, none from a box to itself
 * @output undefined when it is too large to be drawn
 * @effects none
 */
export function layOut(boxes: readonly Box[], arrows: readonly Arrow[]): Layout | undefined {
  const graph = layeredGraph(boxes, arrows, maxVertices);
  if (graph === undefined) return undefined;
  const { rows, chains } = graph;
  orderRows(rows);
  placeRows(rows);
  const bands = bandsOf(rows);
  const bandOf = ({ row }: Vertex): Band => bands[row] ?? { top: 0, height: 0 };
  const port = portsOf(graph.boxes, chains);
  return {
    width: Math.max(0, ...rows.flat().map(({ x, right }) => x + right)),
    height: (bands.at(-1)?.top ?? 0) + (bands.at(-1)?.height ?? 0),
    boxes: new Map([...graph.boxes].map(([id, vertex]) => [id, { x: vertex.x, y: middle(bandOf(vertex)) }])),
    arrows: chains.map((chain) => placedArrow(chain, bandOf, port)),
  };
}

interface Band {
  readonly top: number;
  readonly height: number;
}

function middle({ top, height }: Band): number {
  return top + height / 2;
}

function bandsOf(rows: readonly (readonly Vertex[])[]): Band[] {
  let top = 0;
  return rows.map((row) => {
    const band = { top, height: Math.max(0, ...row.map(({ height }) => height)) };
    top += band.height + rowGap;
    return band;
  });
}

type Port = (chain: readonly Vertex[], box: Vertex) => number;

/** Arrows that leave a box, or come to it, on the same side stand beside each other in the order of their ways. */
function portsOf(boxes: ReadonlyMap<string, Vertex>, chains: readonly (readonly Vertex[])[]): Port {
  const ports = new Map<readonly Vertex[], Map<Vertex, number>>(chains.map((chain) => [chain, new Map()]));
  const ends = chains.flatMap((chain) => [
    { chain, box: chain[0], next: chain[1] },
    { chain, box: chain.at(-1), next: chain.at(-2) },
  ]);
  for (const box of boxes.values()) {
    for (const isBelow of [true, false]) {
      const own = ends
        .filter((each) => each.box === box && each.next !== undefined && each.next.row > box.row === isBelow)
        .toSorted(
          (a, b) => (a.next?.x ?? 0) - (b.next?.x ?? 0) || (a.next?.order ?? 0) - (b.next?.order ?? 0),
        );
      const room = Math.min(2 * box.left * 0.8, 40 * (own.length - 1));
      for (const [index, { chain, next }] of own.entries()) {
        const share = index / Math.max(1, own.length - 1) - 0.5;
        ports
          .get(chain)
          ?.set(box, next === undefined || own.length > 1 ? box.x + share * room : straight(box, next));
      }
    }
  }
  return (chain, box) => ports.get(chain)?.get(box) ?? box.x;
}

/** An arrow alone on its side need not meet the middle: rather it goes straight. */
function straight(box: Vertex, next: Vertex): number {
  const room = 0.7 * box.left;
  return Math.min(box.x + room, Math.max(box.x - room, next.x));
}

function placedArrow(chain: readonly Vertex[], bandOf: (vertex: Vertex) => Band, port: Port): PlacedArrow {
  const [first, second] = chain;
  const isDown = first === undefined || second === undefined || second.row > first.row;
  const points = chain.flatMap((vertex, index): Point[] => {
    const band = bandOf(vertex);
    if (index > 0 && index < chain.length - 1) {
      // Between two rows of boxes there is nothing to go around.
      if (vertex.row % 2 === 1 && vertex.height === 0) return [];
      const ys = [band.top, band.top + band.height];
      return (isDown ? ys : ys.toReversed()).map((y) => ({ x: vertex.x, y }));
    }
    const isLower = isDown === (index === 0);
    const y = middle(band) + (isLower ? vertex.height / 2 : -vertex.height / 2);
    return [{ x: port(chain, vertex), y }];
  });
  const label = second === undefined ? { x: 0, y: 0 } : { x: second.x, y: middle(bandOf(second)) };
  return { points, label };
}

// Finds the import cycles of a graph of files, each as the shortest way from a file back to itself.
// A file is reported in one cycle at most, so that a tangle does not print every path through it.

/**
 * @input  for each file the files it imports
 * @output cycles in the order of the graph's keys; a cycle names its first file only once
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const reported = new Set<string>();
  for (const start of graph.keys()) {
    if (reported.has(start)) continue;
    const cycle = shortestCycle(graph, start);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const file of cycle) reported.add(file);
  }
  return cycles;
}

function shortestCycle(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const seen = new Set<string>();
  const queue: string[][] = [[start]];
  // The queue grows while it is walked: breadth first, so the first way back is the shortest.
  for (const way of queue) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...way, next]);
    }
  }
  return undefined;
}

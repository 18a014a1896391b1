// `codelia rpc` that tells on SIGUSR2 what it holds when all that can be given back was. As in the program, nothing else.
import { heapStats } from "bun:jsc";
import { start } from "../../packages/codelia/src/start.ts";

process.on("SIGUSR2", () => {
  Bun.gc(true);
  const { heapSize, objectCount } = heapStats();
  const held = { heapMb: heapSize / 2 ** 20, objects: objectCount };
  process.stderr.write(`${JSON.stringify(held)}\n`);
});

process.exitCode = await start(process.argv.slice(2), "0.0.0");
// Watching for a signal would keep the process alive.
process.removeAllListeners("SIGUSR2");

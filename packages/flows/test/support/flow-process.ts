// A process that begins a run and dies at a write of its journal.
// Arguments: the agent's directory, the world's, the journal's, the number of the write, before or after it.
import { runOnDisk } from "./flow-on-disk.ts";

const [agent = "", world = "", journal = "", write = "0", when = "before"] = process.argv.slice(2);
await runOnDisk({ agent, world, journal }, { write: Number(write), when });

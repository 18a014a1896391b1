// A process that runs the scenario and kills itself at one change of the disk. What its face is told is on stdout.
// Arguments: the scene's top, the number of the change from 0, and how far the change gets.
import { writeSync } from "node:fs";
import { runInScene } from "./scene-run.ts";
import { type AroundCall, watchedDisk } from "./watched-disk.ts";

const [, , top = "", number = "", moment = ""] = process.argv;

function endHere(): void {
  process.kill(process.pid, "SIGKILL");
}

let changes = 0;
const around: AroundCall = async (call, make) => {
  if (!call.isChange) return await make();
  const isLast = changes === Number(number);
  changes += 1;
  if (isLast && moment === "before") endHere();
  if (isLast && moment === "half of") {
    await call.writeHalf?.();
    endHere();
  }
  try {
    return await make();
  } finally {
    // Also after a change that the system refused, as it does where a directory is there already.
    if (isLast) endHere();
  }
};

await runInScene({
  top,
  disk: watchedDisk(around),
  script: "script.json",
  // At once: what waits in a buffer dies with the process.
  emit: (event) => writeSync(1, `${JSON.stringify(event)}\n`),
});
if (changes > Number(number)) throw new Error(`change ${number} was made, and this process goes on`);

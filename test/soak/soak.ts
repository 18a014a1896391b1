// `npm run soak`: 5,000 turns and 1,000 sessions in one process; CODELIA_SOAK_TURNS and CODELIA_SOAK_SESSIONS change that.
import { report } from "../../bench/measure.ts";
import { type Held, SoakDesk } from "./desk.ts";

const turns = Number(process.env.CODELIA_SOAK_TURNS ?? 5000);
const sessions = Number(process.env.CODELIA_SOAK_SESSIONS ?? 1000);
/** Until the engine has compiled what is used again and again, and its heap has found its size. */
const warmUpTurns = Number(process.env.CODELIA_SOAK_WARM_UP ?? 1000);

await using desk = await SoakDesk.open();

async function work(count: number): Promise<void> {
  for (let done = 0; done < count; ) done += await desk.run();
}

await work(warmUpTurns);
const warm = await desk.held();
const seen: Held[] = [];
const residents: number[] = [];
for (let part = 0; part < 5; part += 1) {
  await work(turns / 5);
  const held = await desk.held();
  seen.push(held);
  // What was given back leaves the process a little later.
  await Bun.sleep(2000);
  const { residentMb } = desk.state();
  residents.push(residentMb);
  process.stdout.write(
    `${(turns / 5) * (part + 1)} turns: ${held.heapMb.toFixed(2)} MB held, ${held.objects} objects, ${residentMb.toFixed(0)} MB resident\n`,
  );
}
function listed(figures: readonly number[]): string {
  return figures.map((figure) => figure.toFixed(1)).join(", ");
}

const id = await desk.sessionId();
await desk.reopen(id);
const before = desk.state();
for (let count = 0; count < sessions; count += 1) await desk.reopen(id);
const after = desk.state();

const last = seen.at(-1)?.heapMb ?? Number.NaN;
const isKept = report("Soak: one process of codelia rpc", [
  {
    name: `memory growth over ${turns} turns`,
    value: Math.max(0, last - warm.heapMb),
    bar: 5,
    unit: " MB",
    detail: `${warm.heapMb.toFixed(1)} MB after ${warmUpTurns} turns, then ${listed(seen.map(({ heapMb }) => heapMb))}; resident ${listed(residents)}`,
  },
  {
    name: `file handles left by ${sessions} sessions`,
    value: after.files - before.files,
    bar: 0,
    unit: "",
    detail: `${before.files} → ${after.files}`,
  },
  {
    name: `processes left by ${sessions} sessions`,
    value: after.children - before.children,
    bar: 0,
    unit: "",
    detail: `${before.children} → ${after.children}`,
  },
]);
process.exitCode = isKept ? 0 : 1;

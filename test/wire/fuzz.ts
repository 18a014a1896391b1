// `npm run fuzz:wire`: 100,000 frames, or CODELIA_FUZZ_COUNT, from CODELIA_FUZZ_SEED. Exits with 1 on a finding.
import { fuzzWire } from "./check.ts";

const seed = Number(process.env.CODELIA_FUZZ_SEED ?? Date.now() % 1_000_000_007);
const count = Number(process.env.CODELIA_FUZZ_COUNT ?? 100_000);
/** A process with a project open takes about 100; a frame may have 32 MB, and is there a few times while it is read. */
const maxMb = 400;

if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) {
  process.stderr.write("CODELIA_FUZZ_SEED and CODELIA_FUZZ_COUNT have to be whole numbers.\n");
  process.exit(2);
}
const started = Date.now();
process.stdout.write(`seed ${seed}, ${count} frames\n`);
const report = await fuzzWire(seed, count, (done, residentMb) => {
  if (done % 10_000 < 200) {
    const seconds = Math.round((Date.now() - started) / 1000);
    process.stdout.write(`${done} after ${seconds} s, ${residentMb.toFixed(0)} MB\n`);
  }
});
for (const finding of report.findings.slice(0, 20)) process.stdout.write(`seed ${seed}: ${finding}\n`);
const told = [...report.codes].map(([code, times]) => `${code} ${times}`);
process.stdout.write(`errors: ${told.join(", ")}\n`);
const { frames, answers, errors, runs, peakMb, findings } = report;
process.stdout.write(
  `${frames} frames: ${answers} messages back, ${errors} of them errors, ${runs} runs; ` +
    `${peakMb.toFixed(0)} MB at the peak (≤ ${maxMb}); ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 && peakMb <= maxMb ? 0 : 1;

// `npm run fuzz`: 100,000 commands, or CODELIA_FUZZ_COUNT, from CODELIA_FUZZ_SEED. Exits with 1 on a finding.
import { fuzz } from "./check.ts";

const seed = Number(process.env.CODELIA_FUZZ_SEED ?? Date.now() % 1_000_000_007);
const count = Number(process.env.CODELIA_FUZZ_COUNT ?? 100_000);
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1) {
  process.stderr.write("CODELIA_FUZZ_SEED and CODELIA_FUZZ_COUNT have to be whole numbers.\n");
  process.exit(2);
}
const started = Date.now();
process.stdout.write(`seed ${seed}, ${count} commands\n`);
const report = await fuzz(seed, count, {
  onProgress: (done) => {
    if (done % 5000 < 250)
      process.stdout.write(`${done} after ${Math.round((Date.now() - started) / 1000)} s\n`);
  },
  onFinding: ({ number, command, problem, analysis }) =>
    process.stdout.write(
      `\nseed ${seed}, command ${number} ${problem}:\n${command}\n${analysis.join("\n")}\n\n`,
    ),
});
const { ran, outOfReach, safe, findings } = report;
process.stdout.write(
  `${report.commands} commands: ${ran} ran the denied program, ${outOfReach} were said to be out of its reach, ` +
    `${safe} safe; ${findings.length} findings\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;

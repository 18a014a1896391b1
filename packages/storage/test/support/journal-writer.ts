// A process of its own that appends records of all sizes until it is killed, and says which were taken.
import { openJournal } from "@codelia/storage";

const journal = await openJournal(process.argv[2] ?? "");
const sizes = [10, 3000, 60_000, 200, 90_000, 1_000_000];
for (let record = 1; ; record += 1) {
  const seq = await journal.append({ record, body: "x".repeat(sizes[record % sizes.length] ?? 0) });
  process.stdout.write(`${seq}\n`);
}

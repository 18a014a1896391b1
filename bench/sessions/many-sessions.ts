// Ten thousand small sessions of one repository.
import { join } from "node:path";
import { repositoryFolder } from "../../packages/runtime/src/sessions/index.ts";
import { type Disk, nodeDisk, openJournal } from "../../packages/storage/src/index.ts";
import type { Place } from "./place.ts";

/** What is made for the bench need not outlive a power cut. */
const unflushedDisk: Disk = {
  ...nodeDisk,
  open: async (path, flags, mode) => {
    const file = await nodeDisk.open(path, flags, mode);
    return Object.assign(file, { sync: () => Promise.resolve() });
  },
};

export async function makeManySessions({ repository, home }: Place, count: number): Promise<void> {
  const identity = join(repository, ".git");
  const folder = repositoryFolder(join(home, ".codelia"), identity);
  for (let number = 0; number < count; number += 1) {
    const id = `20260101T000000-${number.toString(16).padStart(8, "0")}`;
    const journal = await openJournal(join(folder, id), { disk: unflushedDisk });
    await journal.append({
      type: "session.start",
      format: 1,
      id,
      program: "0.0.0",
      cwd: repository,
      root: repository,
      repository: identity,
      model: "bench/none",
      title: `Task ${number}`,
    });
    await journal.append({
      type: "message.user",
      message: { role: "user", content: [{ type: "text", text: `Task ${number}` }] },
      steering: false,
    });
    await journal.append({ type: "run.end", status: "done" });
    await journal.close();
  }
}

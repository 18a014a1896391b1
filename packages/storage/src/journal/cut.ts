// Cuts off what is not valid at the end of a journal, after it was put aside.
import { randomBytes } from "node:crypto";
import { closing, createFlags, type DiskFile, quietly, syncDirectory, writeAll } from "../disk/index.ts";
import { explaining } from "../error.ts";
import type { JournalDamage } from "./entry.ts";
import type { JournalPlace } from "./place.ts";

const pieceBytes = 256 * 1024;

/**
 * @effects the cut bytes are in a file beside the journal, flushed, before the journal gets shorter
 * @output  the damage, with the place of that file
 * @error   StorageError; the journal is then as it was
 */
export async function cutDamage(
  { directory, path, disk }: JournalPlace,
  journal: DiskFile,
  damage: JournalDamage,
  now: Date,
): Promise<JournalDamage> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const keptAt = `${path}.damaged-${stamp}-${randomBytes(4).toString("hex")}`;
  await explaining("write_failed", keptAt, async () => {
    const kept = await disk.open(keptAt, createFlags, 0o600);
    try {
      await closing(kept, async () => {
        await copyFrom(journal, damage.offset, kept);
        await kept.sync();
      });
    } catch (error) {
      await quietly(() => disk.unlink(keptAt));
      throw error;
    }
    await syncDirectory(disk, directory);
  });
  await explaining("write_failed", path, async () => {
    await journal.truncate(damage.offset);
    await journal.sync();
  });
  return { ...damage, keptAt };
}

async function copyFrom(source: DiskFile, offset: number, target: DiskFile): Promise<void> {
  const piece = new Uint8Array(pieceBytes);
  for (let position = offset; ; ) {
    const { bytesRead } = await source.read(piece, 0, piece.length, position);
    if (bytesRead === 0) return;
    await writeAll(target, piece.subarray(0, bytesRead));
    position += bytesRead;
  }
}

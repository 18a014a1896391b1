// Reading and writing whole values although the system may take them in parts.
import type { DiskFile } from "./disk.ts";

/** @effects one write call; more only where the system took fewer bytes than it was given */
export async function writeAll(file: DiskFile, data: Uint8Array): Promise<void> {
  let rest = data;
  while (rest.length > 0) {
    const { bytesWritten } = await file.write(rest);
    // Neither progress nor an error: to ask again could go on for ever.
    if (bytesWritten === 0) throw Object.assign(new Error("EIO: nothing was written"), { code: "EIO" });
    rest = rest.subarray(bytesWritten);
  }
}

/** @output how many bytes could be read; fewer than asked for only at the end of the file */
export async function readFully(file: DiskFile, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

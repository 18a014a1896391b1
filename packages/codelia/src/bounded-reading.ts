// What a person names on the command line, read without waiting for ever and without filling the memory.
import { constants, promises as fs } from "node:fs";

const chunkBytes = 1024 * 1024;

/**
 * @output the bytes of a regular file
 * @error  the system's; also where it is no regular file, which is not read, or has more than `maxBytes`
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array> {
  // Without waiting for somebody who writes into a pipe.
  const file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (stat.size > maxBytes) throw tooLarge(maxBytes);
    const parts: Uint8Array[] = [];
    let size = 0;
    while (true) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, size);
      if (bytesRead === 0) return Buffer.concat(parts);
      parts.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
      // It may grow while it is read.
      if (size > maxBytes) throw tooLarge(maxBytes);
    }
  } finally {
    await file.close();
  }
}

/** @output the whole text of a stream; undefined: it has more bytes than that, and the rest was not read */
export async function readText(
  stream: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > maxBytes) return undefined;
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

function tooLarge(maxBytes: number): Error {
  return new Error(`it has more than ${maxBytes / (1024 * 1024)} MiB`);
}

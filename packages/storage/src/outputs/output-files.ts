// Keeps long tool outputs whole, one file each, named by content.
import { createHash, randomBytes } from "node:crypto";
import { promises as fs } from "node:fs";
import { join } from "node:path";

export interface OutputFile {
  write(chunk: Uint8Array): Promise<void>;
  /** @output path of the finished file */
  finish(): Promise<string>;
}

export interface OutputFiles {
  readonly directory: string;
  open(): Promise<OutputFile>;
}

/** @effects creates the directory (0700) with the first output; files are 0600 */
export function openOutputFiles(directory: string): OutputFiles {
  return {
    directory,
    async open() {
      await fs.mkdir(directory, { recursive: true, mode: 0o700 });
      const temporary = join(directory, `.${randomBytes(8).toString("hex")}.tmp`);
      const handle = await fs.open(temporary, "wx", 0o600);
      const hash = createHash("sha256");
      return {
        async write(chunk) {
          hash.update(chunk);
          await handle.writeFile(chunk);
        },
        async finish() {
          await handle.close();
          const path = join(directory, `${hash.digest("hex").slice(0, 32)}.txt`);
          await fs.rename(temporary, path);
          return path;
        },
      };
    },
  };
}

// The image in the clipboard, by whichever program of the system can tell.
import { execFile } from "node:child_process";

const maxBytes = 32 * 1024 * 1024;

const programs: readonly (readonly [program: string, args: readonly string[]])[] =
  process.platform === "darwin"
    ? [["pngpaste", ["-"]]]
    : [
        ["wl-paste", ["--no-newline", "--type", "image/png"]],
        ["xclip", ["-selection", "clipboard", "-target", "image/png", "-out"]],
      ];

/** @output undefined: there is none, or no program that could get it */
export async function clipboardImage(): Promise<Uint8Array | undefined> {
  for (const [program, args] of programs) {
    const bytes = await outputOf(program, args);
    if (bytes !== undefined && bytes.length > 0) return bytes;
  }
  return undefined;
}

function outputOf(program: string, args: readonly string[]): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { encoding: "buffer", maxBuffer: maxBytes, timeout: 5000, cwd: "/" },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}

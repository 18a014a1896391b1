// A process of its own that swaps a folder for a link and back, as fast as it can, until its standard input ends.
// Arguments: the folder and the link. They change places in one step, so that the name is never free.
import { dlopen, FFIType, ptr } from "bun:ffi";

const { i32, u32 } = FFIType;
const libc = dlopen("libc.so.6", {
  renameat2: { args: [i32, FFIType.ptr, i32, FFIType.ptr, u32], returns: i32 },
});
const currentFolder = -100;
const exchange = 2;

const [folder, link] = process.argv.slice(2).map((path) => Buffer.from(`${path}\0`));
let goesOn = true;
process.stdin.on("end", () => {
  goesOn = false;
});
process.stdin.resume();

function swapOften(): void {
  // An even number of times: at the end everything is at its place.
  for (let round = 0; round < 20; round += 1) swap();
  if (goesOn) setImmediate(swapOften);
}

function swap(): void {
  if (folder === undefined || link === undefined) throw new Error("two paths are needed");
  const failed = libc.symbols.renameat2(currentFolder, ptr(folder), currentFolder, ptr(link), exchange);
  if (failed !== 0) throw new Error("the two could not be swapped");
}

process.stdout.write("begun\n");
swapOften();

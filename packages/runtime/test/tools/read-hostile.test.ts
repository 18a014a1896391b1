// Reading where files are no files, change under way, are huge, or the system refuses.
import { expect, test } from "bun:test";
import { closeSync, ftruncateSync, openSync, renameSync, symlinkSync, writeSync } from "node:fs";
import { type Disk, nodeDisk } from "@codelia/storage";
import { createReadTool, type ReadArguments } from "../../src/tools/read.ts";
import { execute, FileToolScene, output, refusal, refusalOf, systemError } from "./file-tool-scene.ts";

function read(scene: FileToolScene, args: ReadArguments): Promise<string> {
  return output(createReadTool(scene.environment), args);
}

test("what is no regular file is refused without being opened", async () => {
  using scene = new FileToolScene({ pipe: { fifo: true }, "folder/": "", "to-pipe": { link: "pipe" } });
  const opened: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    open: (path, flags, mode) => {
      opened.push(path);
      return nodeDisk.open(path, flags, mode);
    },
  };
  const tool = createReadTool(scene.environment, disk);
  const told = [];
  for (const path of ["pipe", "to-pipe", "folder", "/dev/zero", "/"])
    told.push(await refusal(tool, { path }));
  expect(told).toEqual([
    "pipe is a named pipe (FIFO), not a regular file. Choose a regular file.",
    "to-pipe is a named pipe (FIFO), not a regular file. Choose a regular file.",
    "folder is a directory, not a file. Use `list` to see what is in it.",
    "/dev/zero is a device, not a regular file. Choose a regular file.",
    "/ is a directory, not a file. Use `list` to see what is in it.",
  ]);
  expect(opened.filter((path) => /pipe|zero|folder/.test(path))).toEqual([]);
});

test("names that lead nowhere are refused with what to do", async () => {
  using scene = new FileToolScene({
    a: { link: "b" },
    b: { link: "a" },
    file: "x",
    dangling: { link: "gone" },
  });
  const tool = createReadTool(scene.environment);
  const told = [];
  for (const path of ["none", "a", "file/x", "dangling", "", "a\0b", "n".repeat(300), "\ud800"]) {
    told.push(await refusal(tool, { path }));
  }
  expect(told).toEqual([
    "none does not exist. Check the name with `list`.",
    "a is a symbolic link that leads in a circle. Name the file itself.",
    "file/x lies below something that is no directory. Check the path with `list`.",
    "dangling does not exist. Check the name with `list`.",
    "The path is empty. Give a file or directory, such as `src/main.ts`.",
    'The path "a\\u0000b" holds a character that no file name can have. Correct it.',
    `${"n".repeat(300)} has a name that is too long for the file system. Shorten it.`,
    "The path \ud800 holds a character that no file name can have. Correct it.",
  ]);
});

test("a link that is swapped in after the call was prepared leads nowhere", async () => {
  using scene = new FileToolScene({ "a.txt": "harmless\n", "sub/b.txt": "harmless\n" });
  scene.add({ "secret/b.txt": "secret\n" });
  const tool = createReadTool(scene.environment);
  const file = await tool.prepare({ path: "a.txt" });
  const below = await tool.prepare({ path: "sub/b.txt" });
  renameSync(scene.in("a.txt"), scene.in("old.txt"));
  symlinkSync(scene.at("secret/b.txt"), scene.in("a.txt"));
  renameSync(scene.in("sub"), scene.in("old"));
  symlinkSync(scene.at("secret"), scene.in("sub"));
  const advice =
    "was moved or replaced by a link while this call was under way. Nothing was done; try again.";
  expect(await refusalOf(() => execute(file))).toBe(`a.txt ${advice}`);
  expect(await refusalOf(() => execute(below))).toBe(`sub/b.txt ${advice}`);
});

test("a directory that is swapped while it is being opened is noticed", async () => {
  using scene = new FileToolScene({ "top/sub/b.txt": "harmless\n" });
  scene.add({ "secret/sub/b.txt": "secret\n" });
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      if (!path.endsWith("/top/sub")) return await nodeDisk.open(path, flags, mode);
      // Only while this one open runs, so that looking at the path before or after shows nothing.
      renameSync(scene.in("top"), scene.in("aside"));
      symlinkSync(scene.at("secret"), scene.in("top"));
      const handle = await nodeDisk.open(path, flags, mode);
      scene.remove("work/top");
      renameSync(scene.in("aside"), scene.in("top"));
      return handle;
    },
  };
  expect(await refusal(createReadTool(scene.environment, disk), { path: "top/sub/b.txt" })).toBe(
    "top/sub/b.txt was moved or replaced by a link while this call was under way. Nothing was done; try again.",
  );
});

test("a file that is swapped for a link or a pipe just before it is opened is not read", async () => {
  using scene = new FileToolScene({ "a.txt": "harmless\n", "b.txt": "harmless\n", pipe: { fifo: true } });
  scene.add({ "secret.txt": "secret\n" });
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      if (path.endsWith("/a.txt")) {
        scene.remove("work/a.txt");
        symlinkSync(scene.at("secret.txt"), scene.in("a.txt"));
      }
      if (path.endsWith("/b.txt")) renameSync(scene.in("pipe"), scene.in("b.txt"));
      return await nodeDisk.open(path, flags, mode);
    },
  };
  const tool = createReadTool(scene.environment, disk);
  expect([await refusal(tool, { path: "a.txt" }), await refusal(tool, { path: "b.txt" })]).toEqual([
    "a.txt was moved or replaced by a link while this call was under way. Nothing was done; try again.",
    "b.txt is a named pipe (FIFO), not a regular file. Choose a regular file.",
  ]);
});

test("a file of 2 GB is read in parts in bounded memory, and is not remembered", async () => {
  using scene = new FileToolScene({});
  const file = openSync(scene.in("big.log"), "w");
  writeSync(file, "line\n".repeat(20_000));
  ftruncateSync(file, 2 ** 31);
  closeSync(file);
  const before = process.memoryUsage().rss;
  const part = await read(scene, { path: "big.log", offset: 10_000, limit: 2 });
  expect(part).toBe(
    "10000\tline\n10001\tline\n[2 GiB of 2 GiB follow: go on with offset 10002]\n" +
      "[files over 16 MiB can be read in parts but not edited]\n",
  );
  // Far below what was read, far above what other tests leave behind in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
  expect(scene.environment.readVersions.compare(scene.in("big.log"), new Uint8Array())).toBe("unread");
});

test("reading a large file ends when the call is ended", async () => {
  using scene = new FileToolScene({});
  const file = openSync(scene.in("big.log"), "w");
  writeSync(file, "x".repeat(10_000));
  ftruncateSync(file, 2 ** 40);
  closeSync(file);
  const stopping = new AbortController();
  const call = await createReadTool(scene.environment).prepare({ path: "big.log", offset: 2 });
  const running = execute(call, stopping.signal);
  setTimeout(() => stopping.abort(), 20);
  expect(await running.catch((error: unknown) => error)).toBe(stopping.signal.reason);
});

test("a file that the system refuses is told with the reason", async () => {
  using scene = new FileToolScene({ "a.txt": "x" });
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      if (path.endsWith("/a.txt")) throw systemError("EACCES");
      return await nodeDisk.open(path, flags, mode);
    },
  };
  expect(await refusal(createReadTool(scene.environment, disk), { path: "a.txt" })).toBe(
    "a.txt cannot be accessed: permission denied. Ask the user to change its permissions.",
  );
});

test("a defect is not dressed up as a message for the model", async () => {
  using scene = new FileToolScene({ "a.txt": "x" });
  const disk: Disk = { ...nodeDisk, open: () => Promise.reject(new RangeError("defect")) };
  const call = await createReadTool(scene.environment, disk).prepare({ path: "a.txt" });
  expect(await execute(call).catch((error: unknown) => error)).toEqual(new RangeError("defect"));
});

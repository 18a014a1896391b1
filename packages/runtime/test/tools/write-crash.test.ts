// Crashes and failures at every call to the file system: old content or new content, nothing in between.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { ToolError } from "@codelia/core";
import { type Disk, nodeDisk } from "@codelia/storage";
import { createWriteTool } from "../../src/tools/write.ts";
import { execute, FileToolScene, output, refusalOf, systemError } from "./file-tool-scene.ts";

/** Numbers the calls and lets `at` decide each one's fate. */
function watchedDisk(at: (call: number) => void): Disk {
  let calls = 0;
  const counted = async <T>(action: () => Promise<T>): Promise<T> => {
    const call = calls;
    calls += 1;
    at(call);
    return await action();
  };
  return {
    lstat: (path) => counted(() => nodeDisk.lstat(path)),
    readlink: (path) => counted(() => nodeDisk.readlink(path)),
    readdir: (path) => counted(() => nodeDisk.readdir(path)),
    open: (path, flags, mode) => counted(() => nodeDisk.open(path, flags, mode)),
    mkdir: (path) => counted(() => nodeDisk.mkdir(path)),
    rmdir: (path) => counted(() => nodeDisk.rmdir(path)),
    link: (existing, added) => counted(() => nodeDisk.link(existing, added)),
    rename: (from, to) => counted(() => nodeDisk.rename(from, to)),
    unlink: (path) => counted(() => nodeDisk.unlink(path)),
  };
}

async function callsOf(run: (disk: Disk) => Promise<unknown>): Promise<number> {
  let count = 0;
  const disk = watchedDisk(() => {
    count += 1;
  });
  await run(disk);
  return count;
}

async function overwrite(scene: FileToolScene, disk: Disk): Promise<void> {
  await scene.see("a.txt");
  await output(createWriteTool(scene.environment, disk), { path: "a.txt", content: "new content\n" });
}

test("a crash at any call while overwriting leaves the old or the new content, with its mode", async () => {
  using first = new FileToolScene({ "a.txt": "old\n" });
  const calls = await callsOf((disk) => overwrite(first, disk));
  const left = new Set<string>();
  for (let crash = 0; crash < calls; crash += 1) {
    using scene = new FileToolScene({ "a.txt": "old\n" });
    chmodSync(scene.in("a.txt"), 0o640);
    // From the crash on nothing works, cleaning up included.
    const dead = watchedDisk((call) => {
      if (call >= crash) throw systemError("EIO");
    });
    await overwrite(scene, dead).catch(() => {});
    left.add(`${scene.text("a.txt")}${scene.mode("a.txt").toString(8)}`);
  }
  expect([...left].toSorted()).toEqual(["new content\n640", "old\n640"]);
});

test("a failure at any call while overwriting leaves the old content and no other file, or has happened", async () => {
  using first = new FileToolScene({ "a.txt": "old\n" });
  const calls = await callsOf((disk) => overwrite(first, disk));
  for (let failing = 0; failing < calls; failing += 1) {
    using scene = new FileToolScene({ "a.txt": "old\n" });
    const disk = watchedDisk((call) => {
      if (call === failing) throw systemError("ENOSPC");
    });
    const done = await overwrite(scene, disk).then(
      () => true,
      (error: unknown) => !(error instanceof ToolError && error.message.includes("Nothing was")),
    );
    expect({ done, text: scene.text("a.txt"), files: readdirSync(scene.in()) }).toEqual({
      done,
      text: done ? "new content\n" : "old\n",
      files: ["a.txt"],
    });
  }
});

test("a failure at any call while creating leaves no file and no directory, or has happened", async () => {
  const create = (scene: FileToolScene, disk: Disk) =>
    output(createWriteTool(scene.environment, disk), { path: "x/y/a.txt", content: "new\n" });
  using first = new FileToolScene({});
  const calls = await callsOf((disk) => create(first, disk));
  const outcomes = new Set<string>();
  for (let failing = 0; failing < calls; failing += 1) {
    using scene = new FileToolScene({});
    const disk = watchedDisk((call) => {
      if (call === failing) throw systemError("EDQUOT");
    });
    await create(scene, disk).catch(() => {});
    outcomes.add(
      existsSync(scene.in("x/y/a.txt")) ? scene.text("x/y/a.txt") : readdirSync(scene.in()).join(),
    );
  }
  expect([...outcomes].toSorted()).toEqual(["", "new\n"]);
});

test("a file system without hard links still gets new files, and never over one that appeared", async () => {
  using scene = new FileToolScene({});
  const disk: Disk = { ...nodeDisk, link: () => Promise.reject(systemError("EPERM")) };
  await output(createWriteTool(scene.environment, disk), { path: "a.txt", content: "a" });
  const racing: Disk = {
    ...disk,
    link: () => {
      writeFileSync(scene.in("b.txt"), "theirs");
      return Promise.reject(systemError("EPERM"));
    },
  };
  const call = await createWriteTool(scene.environment, racing).prepare({ path: "b.txt", content: "mine" });
  expect(await refusalOf(() => execute(call))).toBe(
    "b.txt exists already. Nothing was changed; read it before you change it.",
  );
  expect([scene.text("a.txt"), scene.text("b.txt"), readdirSync(scene.in()).toSorted()]).toEqual([
    "a",
    "theirs",
    ["a.txt", "b.txt"],
  ]);
});

test("a change of the file while the new content is being written is noticed", async () => {
  using scene = new FileToolScene({ "a.txt": "old\n" });
  await scene.see("a.txt");
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      if (path.endsWith(".tmp")) writeFileSync(scene.in("a.txt"), "theirs\n");
      return await nodeDisk.open(path, flags, mode);
    },
  };
  const call = await createWriteTool(scene.environment, disk).prepare({ path: "a.txt", content: "mine\n" });
  expect(await refusalOf(() => execute(call))).toBe(
    "a.txt changed while this call was under way. Nothing was changed; read it again.",
  );
  expect([scene.text("a.txt"), readdirSync(scene.in()).toSorted()]).toEqual(["theirs\n", ["a.txt"]]);
});

test("a directory that is swapped while the new content is being written is not written through", async () => {
  using scene = new FileToolScene({ "sub/a.txt": "old\n" });
  scene.add({ "outside/a.txt": "old\n" });
  await scene.see("sub/a.txt");
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, flags, mode) => {
      const handle = await nodeDisk.open(path, flags, mode);
      if (path.endsWith(".tmp")) {
        renameSync(scene.in("sub"), scene.in("aside"));
        symlinkSync(scene.at("outside"), scene.in("sub"));
      }
      return handle;
    },
  };
  const call = await createWriteTool(scene.environment, disk).prepare({
    path: "sub/a.txt",
    content: "mine\n",
  });
  expect(await refusalOf(() => execute(call))).toBe(
    "sub/a.txt was moved or replaced by a link while this call was under way. Nothing was done; try again.",
  );
  expect([scene.text("aside/a.txt"), scene.text("../outside/a.txt")]).toEqual(["old\n", "old\n"]);
  expect([readdirSync(scene.in("aside")), readdirSync(scene.at("outside"))]).toEqual([["a.txt"], ["a.txt"]]);
});

test("without /proc files are written all the same, and a swapped directory is noticed", async () => {
  using scene = new FileToolScene({ "sub/": "" });
  scene.add({ "outside/new/": "" });
  const disk: Disk = {
    ...nodeDisk,
    readlink: (path) =>
      path.startsWith("/proc/") ? Promise.reject(systemError("ENOENT")) : nodeDisk.readlink(path),
  };
  const tool = createWriteTool(scene.environment, disk);
  await output(tool, { path: "sub/new/a.txt", content: "a" });
  await output(tool, { path: "sub/new/a.txt", content: "b" });
  const call = await tool.prepare({ path: "sub/b.txt", content: "mine" });
  const below = await tool.prepare({ path: "sub/new/b.txt", content: "mine" });
  renameSync(scene.in("sub"), scene.in("aside"));
  symlinkSync(scene.at("outside"), scene.in("sub"));
  const advice =
    "was moved or replaced by a link while this call was under way. Nothing was done; try again.";
  expect(await refusalOf(() => execute(call))).toBe(`sub/b.txt ${advice}`);
  expect(await refusalOf(() => execute(below))).toBe(`sub/new/b.txt ${advice}`);
  expect(scene.text("aside/new/a.txt")).toBe("b");
  expect(readdirSync(scene.at("outside"), { recursive: true })).toEqual(["new"]);
});

test("a call that was ended before it began changes nothing", async () => {
  using scene = new FileToolScene({});
  const call = await createWriteTool(scene.environment).prepare({ path: "a.txt", content: "x" });
  const signal = AbortSignal.abort();
  expect(await execute(call, signal).catch((error: unknown) => error)).toBe(signal.reason);
  expect(readdirSync(scene.in())).toEqual([]);
});

import { describe, expect, test } from "bun:test";
import { chmodSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { foldAgentsRecords } from "@codelia/core";
import { AgentsRecordSchema } from "@codelia/shared-types";
import { startSession } from "../../../test/support/session.ts";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { systemError, watchedFileSystem } from "../../../test/support/watched-file-system.ts";

const mtimeOf = (path: string) => Math.trunc(statSync(path).mtimeMs);

describe("versions", () => {
  test("new content under the old mtime is presented again when the file was read before", async () => {
    using tree = new TemporaryTree({ ".git": "", "AGENTS.md": "one" });
    const { resolver } = await startSession({ cwd: tree.path });
    const { atime, mtime } = statSync(tree.at("AGENTS.md"));
    writeFileSync(tree.at("AGENTS.md"), "two");
    utimesSync(tree.at("AGENTS.md"), atime, mtime);
    const { resolution } = await resolver.resolveAgentsForPath("x.ts");
    expect(resolution.changed).toEqual([tree.at("AGENTS.md")]);
  });

  test("the same content under the old mtime is not, and is compared only once", async () => {
    using tree = new TemporaryTree({ ".git": "", "AGENTS.md": "one" });
    const { fs, calls } = watchedFileSystem();
    const { resolver } = await startSession({ cwd: tree.path, fs });
    chmodSync(tree.at("AGENTS.md"), 0o640);
    const opened = () => calls.filter(({ operation }) => operation === "open").length;
    const before = opened();
    const first = await resolver.resolveAgentsForPath("x.ts");
    const second = await resolver.resolveAgentsForPath("x.ts");
    expect([first.reminder, second.reminder, opened() - before]).toEqual([undefined, undefined, 1]);
  });

  test("a file that was only named is presented again when its mtime stayed and its inode moved", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/AGENTS.md": "one" });
    const { resolver } = await startSession({ cwd: tree.path });
    await resolver.resolveAgentsForPath("a/x");
    const { atime, mtime } = statSync(tree.at("a/AGENTS.md"));
    tree.add({ "a/new": "two" });
    renameSync(tree.at("a/new"), tree.at("a/AGENTS.md"));
    utimesSync(tree.at("a/AGENTS.md"), atime, mtime);
    expect((await resolver.resolveAgentsForPath("a/x")).resolution.changed).toEqual([tree.at("a/AGENTS.md")]);
  });

  test("a deleted file, an emptied one and one that an override replaced are told once", async () => {
    using tree = new TemporaryTree({
      ".git": "",
      "AGENTS.md": "r",
      "a/AGENTS.md": "a",
      "a/b/AGENTS.md": "b",
    });
    const { resolver } = await startSession({ cwd: tree.at("a/b") });
    tree.remove("AGENTS.md");
    tree.add({ "a/AGENTS.md": "", "a/b/AGENTS.override.md": "o" });
    const first = await resolver.resolveAgentsForPath("x");
    const second = await resolver.resolveAgentsForPath("x");
    expect(first.reminder).toBe(
      `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- ${tree.at("a/b/AGENTS.override.md")} (mtime: ${mtimeOf(tree.at("a/b/AGENTS.override.md"))})
Read and apply these files before editing files in this scope.
No longer in force:
- ${tree.at("AGENTS.md")} (deleted)
- ${tree.at("a/AGENTS.md")} (emptied)
- ${tree.at("a/b/AGENTS.md")} (replaced by ${tree.at("a/b/AGENTS.override.md")})
</system-reminder>`,
    );
    expect(second.reminder).toBeUndefined();
  });

  test("a file created in a directory that was already covered is presented", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/x": "" });
    const { resolver } = await startSession({ cwd: tree.path });
    await resolver.resolveAgentsForPath("a/x");
    tree.add({ "a/AGENTS.md": "late" });
    expect((await resolver.resolveAgentsForPath("a/x")).resolution.files.map(({ path }) => path)).toEqual([
      tree.at("a/AGENTS.md"),
    ]);
  });
});

describe("presenting", () => {
  test("the nearest files are named first, the rest at the next call", async () => {
    using tree = new TemporaryTree({
      ".git": "",
      "a/AGENTS.md": "a",
      "a/b/AGENTS.md": "b",
      "a/b/c/AGENTS.md": "c",
    });
    const { resolver } = await startSession({
      cwd: tree.path,
      settings: { resolver: { maxFilesPerResolve: 2 } },
    });
    const first = await resolver.resolveAgentsForPath("a/b/c/x");
    const coveredAfterFirst = [...resolver.state.coveredDirs];
    const second = await resolver.resolveAgentsForPath("a/b/c/x");
    expect(first.resolution.files.map(({ path }) => path)).toEqual([
      tree.at("a/b/AGENTS.md"),
      tree.at("a/b/c/AGENTS.md"),
    ]);
    expect(first.reminder).toContain(
      "1 more file applies to this path and will be named at the next tool call in this scope.",
    );
    expect(coveredAfterFirst).toEqual([tree.path, tree.at("a/b"), tree.at("a/b/c")]);
    expect(second.resolution.files.map(({ path }) => path)).toEqual([tree.at("a/AGENTS.md")]);
  });

  test("parallel calls name a file once, in the call that was made first", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/AGENTS.md": "a", "a/b/AGENTS.md": "b" });
    const { resolver } = await startSession({ cwd: tree.path });
    const calls = await Promise.all(
      ["a/1", "a/b/2", "a/b/3"].map((path) => resolver.resolveAgentsForPath(path)),
    );
    expect(calls.map(({ resolution }) => resolution.files.map(({ path }) => path))).toEqual([
      [tree.at("a/AGENTS.md")],
      [tree.at("a/b/AGENTS.md")],
      [],
    ]);
  });

  test("a directory as target counts with its own file, a path that does not exist with its parents'", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/AGENTS.md": "a", "b/AGENTS.md": "b" });
    const { resolver } = await startSession({ cwd: tree.path });
    const directory = await resolver.resolveAgentsForPath("a");
    const future = await resolver.resolveAgentsForPath("b/new/file.ts");
    expect([directory, future].map(({ resolution }) => resolution.files.map(({ path }) => path))).toEqual([
      [tree.at("a/AGENTS.md")],
      [tree.at("b/AGENTS.md")],
    ]);
  });

  test("a target outside the root uses its own root by the same markers", async () => {
    using tree = new TemporaryTree({
      "AGENTS.md": "above both",
      "p/.git": "",
      "q/.git": "",
      "q/AGENTS.md": "q",
      "q/src/AGENTS.md": "src",
    });
    const { resolver } = await startSession({ cwd: tree.at("p") });
    const { resolution } = await resolver.resolveAgentsForPath("../q/src/x.ts");
    expect(resolution.files.map(({ path }) => path)).toEqual([
      tree.at("q/AGENTS.md"),
      tree.at("q/src/AGENTS.md"),
    ]);
  });

  test("a target in a project that is not trusted adds nothing for the model", async () => {
    using tree = new TemporaryTree({ "p/.git": "", "q/.git": "", "q/AGENTS.md": "evil" });
    const { resolver } = await startSession({
      cwd: tree.at("p"),
      isTrusted: (root) => Promise.resolve(root === tree.at("p")),
    });
    const { resolution, reminder } = await resolver.resolveAgentsForPath(tree.at("q/x"));
    expect([resolution.skipped, reminder]).toEqual([
      [{ path: tree.at("q/AGENTS.md"), reason: "untrusted" }],
      undefined,
    ]);
  });

  test("a directory link that leads out of the root is reported, not followed", async () => {
    using tree = new TemporaryTree({
      "p/.git": "",
      "p/out": { link: "../elsewhere" },
      "elsewhere/AGENTS.md": "e",
    });
    const { resolver } = await startSession({ cwd: tree.at("p") });
    const { resolution } = await resolver.resolveAgentsForPath("out/x");
    expect([resolution.files, resolution.skipped]).toEqual([
      [],
      [{ path: tree.at("p/out/AGENTS.md"), reason: "outside_root", detail: tree.at("elsewhere/AGENTS.md") }],
    ]);
  });

  test("one real file behind two links is named once", async () => {
    using tree = new TemporaryTree({
      ".git": "",
      "docs/rules.md": "r",
      "a/AGENTS.md": { link: "../docs/rules.md" },
      "a/b/AGENTS.md": { link: "../../docs/rules.md" },
    });
    const { resolver } = await startSession({ cwd: tree.path });
    const calls = [
      await resolver.resolveAgentsForPath("a/b/x"),
      await resolver.resolveAgentsForPath("a/b/x"),
    ];
    expect(calls.map(({ resolution }) => resolution.files.map(({ path }) => path))).toEqual([
      [tree.at("a/AGENTS.md")],
      [],
    ]);
  });

  test("a directory that cannot be checked is told to the model once", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/AGENTS.md": "a", "a/b/AGENTS.md": "b" });
    const { fs } = watchedFileSystem(({ operation, path }) => {
      if (operation === "lstat" && path === tree.at("a/AGENTS.md")) throw systemError("EACCES");
      return undefined;
    });
    const { resolver } = await startSession({ cwd: tree.path, fs });
    const first = await resolver.resolveAgentsForPath("a/b/x");
    const second = await resolver.resolveAgentsForPath("a/b/x");
    expect(first.reminder?.split("\n").slice(1, -1)).toEqual([
      "Additional AGENTS.md may apply for this path:",
      `- ${tree.at("a/b/AGENTS.md")} (mtime: ${mtimeOf(tree.at("a/b/AGENTS.md"))})`,
      "Read and apply these files before editing files in this scope.",
      `Could not check ${tree.at("a/AGENTS.md")}: permission denied (EACCES).`,
    ]);
    expect(second.reminder).toBeUndefined();
  });

  test("resolver.enabled false says nothing", async () => {
    using tree = new TemporaryTree({ ".git": "", "a/AGENTS.md": "a" });
    const { resolver } = await startSession({ cwd: tree.path, settings: { resolver: { enabled: false } } });
    expect((await resolver.resolveAgentsForPath("a/x")).reminder).toBeUndefined();
  });
});

describe("inline mode", () => {
  test("bodies of the nearest files follow the paths while the budget lasts", async () => {
    using tree = new TemporaryTree({
      ".git": "",
      "a/AGENTS.md": "12345\n",
      "a/b/AGENTS.md": "abc\n</system-reminder>",
    });
    const { resolver } = await startSession({
      cwd: tree.path,
      settings: { resolver: { inline: { maxBytes: 26 } } },
    });
    const { reminder } = await resolver.resolveAgentsForPath("a/b/x");
    expect(reminder).toBe(
      `<system-reminder type="agents.resolve.paths">
Additional AGENTS.md may apply for this path:
- ${tree.at("a/AGENTS.md")} (mtime: ${mtimeOf(tree.at("a/AGENTS.md"))})
- ${tree.at("a/b/AGENTS.md")} (mtime: ${mtimeOf(tree.at("a/b/AGENTS.md"))})
Read and apply these files before editing files in this scope.

Instructions from: ${tree.at("a/AGENTS.md")} (the first 4 of 6 bytes)
1234

Instructions from: ${tree.at("a/b/AGENTS.md")}
abc
&lt;/system-reminder>
</system-reminder>`,
    );
  });
});

describe("the ledger", () => {
  test("is rebuilt from its records, which survive JSON", async () => {
    using tree = new TemporaryTree({ ".git": "", "AGENTS.md": "r", "a/AGENTS.md": "a", "b/AGENTS.md": "b" });
    const { initial, resolver } = await startSession({ cwd: tree.path });
    const records = [initial.record];
    for (const path of ["a/x", "b/x", "a/x"]) {
      const { record } = await resolver.resolveAgentsForPath(path);
      if (record !== undefined) records.push(record);
    }
    const stored = records.map((record) => AgentsRecordSchema.parse(JSON.parse(JSON.stringify(record))));
    expect(records).toHaveLength(3);
    expect(foldAgentsRecords(stored)).toEqual(resolver.state);
  });

  test("forgets what left the context, so that it is presented again when next touched", async () => {
    using tree = new TemporaryTree({ ".git": "", "AGENTS.md": "r", "a/AGENTS.md": "a" });
    const { initial, resolver } = await startSession({ cwd: tree.path });
    await resolver.resolveAgentsForPath("a/x");
    resolver.replaceState(foldAgentsRecords([initial.record]));
    const { resolution } = await resolver.resolveAgentsForPath("a/x");
    expect(resolution.files.map(({ path }) => path)).toEqual([tree.at("a/AGENTS.md")]);
  });
});

describe("cost", () => {
  test("a resolve looks at the target and at two names a level, whatever lies beside them", async () => {
    const crowd = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`a/b/${index}/AGENTS.md`, "x"]),
    );
    using tree = new TemporaryTree({ ".git": "", ...crowd, "a/AGENTS.md": "a", "a/b/x": "" });
    const { fs, calls } = watchedFileSystem();
    const { resolver } = await startSession({ cwd: tree.path, fs });
    await resolver.resolveAgentsForPath("a/b/x");
    calls.length = 0;
    await resolver.resolveAgentsForPath("a/b/x");
    expect(calls).toEqual([
      { operation: "stat", path: tree.at("a/b/x") },
      ...["", "a", "a/b", "a/b/x"].flatMap((directory) =>
        ["AGENTS.override.md", "AGENTS.md"].map((name) => ({
          operation: "lstat" as const,
          path: tree.at(directory, name),
        })),
      ),
    ]);
  });
});

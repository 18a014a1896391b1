// How Codex loads project instructions and home instructions, as cases. Where a decision of ours differs, the
// difference stands next to the case.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentsConfig } from "@codelia/shared-types";
import { type Session, startSession } from "../../../test/support/session.ts";
import { TemporaryTree, type TreeDescription } from "../../../test/support/tree.ts";
import { systemError, watchedFileSystem } from "../../../test/support/watched-file-system.ts";

interface LoadCase {
  readonly name: string;
  readonly tree: TreeDescription;
  readonly cwd?: string;
  readonly home?: TreeDescription;
  readonly settings?: AgentsConfig;
  /** Joined text, or sources relative to the tree. */
  readonly text?: string;
  readonly sources?: readonly string[];
}

const cases: LoadCase[] = [
  { name: "without a file there is nothing to send", tree: { ".git/": "" }, text: "", sources: [] },
  {
    name: "invalid UTF-8 is read with replacement characters",
    tree: { "AGENTS.md": Uint8Array.of(0x70, 0xff, 0x71) },
    text: "p\ufffdq",
  },
  {
    name: "the byte limit is spent from the root on, and separators are not charged",
    tree: { ".git": "", "AGENTS.md": "root", "nested/AGENTS.md": "abcdef" },
    cwd: "nested",
    settings: { initial: { maxBytes: 7 } },
    text: "root\n\nabc",
  },
  {
    name: "a .git file marks a root as a directory does",
    tree: { ".git": "gitdir: /x\n", "AGENTS.md": "R", "w/c/": "" },
    cwd: "w/c",
    text: "R",
  },
  {
    name: "home text goes before project text, with a separator",
    tree: { "AGENTS.md": "P" },
    home: { "AGENTS.md": "U" },
    text: "U\n\n--- project-doc ---\n\nP",
  },
  {
    name: "home is the first source",
    tree: { "AGENTS.md": "P" },
    home: { "AGENTS.md": "U" },
    sources: ["home:AGENTS.md", "AGENTS.md"],
  },
  {
    name: "a configured fallback name is used where AGENTS.md is missing",
    tree: { "EX.md": "e" },
    settings: { fallbackFilenames: ["EX.md"] },
    text: "e",
  },
  { name: "a directory named AGENTS.md is ignored", tree: { "AGENTS.md/": "" }, text: "", sources: [] },
  {
    name: "an override that is a directory gives way to the file",
    tree: { "AGENTS.override.md/": "", "AGENTS.md": "p" },
    text: "p",
  },
  {
    name: "a nested .git is no boundary when the markers leave it out",
    tree: { ".codex-root": "", "AGENTS.md": "P", "d/.git/": "", "d/AGENTS.md": "C" },
    cwd: "d",
    settings: { root: { markers: [".codex-root"] } },
    text: "P\n\nC",
  },
  {
    name: "a cwd behind a link keeps its logical parents",
    tree: {
      "logical/.git": "",
      "logical/AGENTS.md": "L",
      "phys/.git": "",
      "phys/AGENTS.md": "X",
      "phys/ws/AGENTS.md": "W",
      "logical/ws": { link: "../phys/ws" },
    },
    cwd: "logical/ws",
    text: "L\n\nW",
    sources: ["logical/AGENTS.md", "logical/ws/AGENTS.md"],
  },
  {
    name: "files of white space only count as nothing",
    tree: { ".git": "", "AGENTS.md": "", "n/AGENTS.md": " \n\t" },
    cwd: "n",
    text: "",
    sources: [],
  },
  {
    name: "blank files cost nothing",
    tree: { ".git": "", "AGENTS.md": " \n ", "n/AGENTS.md": "abc" },
    cwd: "n",
    settings: { initial: { maxBytes: 3 } },
    text: "abc",
  },
];

describe("project instructions load as in Codex", () => {
  test.each(cases)("$name", async ({ tree: description, cwd = ".", home = {}, settings, text, sources }) => {
    using tree = new TemporaryTree({ "project/": "", "home/": "" });
    tree.add(below("project", description));
    tree.add(below("home", home));
    const { initial } = await startSession({
      cwd: tree.at("project", cwd),
      codeliaHome: tree.at("home"),
      ...(settings ? { settings } : {}),
    });
    const found = initial.bundle.files.map(({ path }) =>
      path.replace(`${tree.at("home")}/`, "home:").replace(`${tree.at("project")}/`, ""),
    );
    expect({ text: initial.joined, sources: found }).toEqual({
      text: text ?? initial.joined,
      sources: [...(sources ?? found)],
    });
  });

  test("without markers only the candidates in cwd are looked at", async () => {
    using tree = new TemporaryTree({ "AGENTS.md": "P", "n/AGENTS.md": "C" });
    const { fs, calls } = watchedFileSystem();
    const { initial } = await startSession({
      cwd: tree.at("n"),
      fs,
      settings: { root: { markers: [] }, home: { enabled: false } },
    });
    const probes = calls.filter(({ operation }) => operation === "lstat").map(({ path }) => path);
    expect(initial.bundle.files.map(({ path }) => path)).toEqual([tree.at("n/AGENTS.md")]);
    expect(probes).toEqual([tree.at("n/AGENTS.override.md"), tree.at("n/AGENTS.md")]);
  });

  test("a file that cannot be read stops the start with its path", async () => {
    using tree = new TemporaryTree({ ".git": "", "AGENTS.md": "P" });
    const { fs } = watchedFileSystem(({ operation }) => {
      if (operation === "open") throw systemError("EACCES");
      return undefined;
    });
    await expect(startSession({ cwd: tree.path, fs })).rejects.toThrow(
      `${tree.at("AGENTS.md")}: cannot read these instructions: permission denied (EACCES)`,
    );
  });

  test("the search for a root never waits for a higher directory", async () => {
    using tree = new TemporaryTree({ "p/.git": "", "p/AGENTS.md": "P", "p/n/": "" });
    const { fs } = watchedFileSystem(({ operation, path }) =>
      operation === "stat" && path === tree.at(".git") ? new Promise<void>(() => undefined) : undefined,
    );
    const { initial } = await startSession({ cwd: tree.at("p/n"), fs });
    expect(initial.joined).toBe("P");
  });

  test("every directory is looked at without waiting for the root's answer", async () => {
    const nested = Array.from({ length: 9 }, (_, depth) => "d/".repeat(depth));
    using tree = new TemporaryTree({ ".git": "", [`${"d/".repeat(8)}AGENTS.md`]: "deep" });
    const root = Promise.withResolvers<void>();
    const { fs, calls } = watchedFileSystem(({ operation, path }) =>
      operation === "lstat" && path === tree.at("AGENTS.override.md") ? root.promise : undefined,
    );
    const session = startSession({
      cwd: tree.at("d/".repeat(8)),
      fs,
      settings: { home: { enabled: false } },
    });
    const expected = nested.map((directory) => tree.at(directory, "AGENTS.override.md"));
    const probed = () => calls.filter(({ operation }) => operation === "lstat").map(({ path }) => path);
    while (probed().length < 18) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(probed().filter((path) => path.endsWith("override.md"))).toEqual(expected);
    root.resolve();
    expect((await session).initial.joined).toBe("deep");
  });
});

describe("home instructions load as in Codex", () => {
  test("without files there is no text and no warning", async () => {
    const { joined, bundle } = await loadHome({});
    expect([joined, bundle.skipped]).toEqual(["", []]);
  });

  test("an empty override gives way to the default, which is trimmed", async () => {
    const { joined } = await loadHome({ "AGENTS.override.md": " \n\t", "AGENTS.md": "\n  d i  \n" });
    expect(joined).toBe("d i");
  });

  test("an override that links to itself is reported and gives way to the default", async () => {
    const { joined, bundle } = await loadHome({
      "AGENTS.override.md": { link: "AGENTS.override.md" },
      "AGENTS.md": "d",
    });
    expect([joined, bundle.skipped.map(({ reason }) => reason)]).toEqual(["d", ["cyclic_link"]]);
  });
});

function below(folder: string, description: TreeDescription): TreeDescription {
  return Object.fromEntries(
    Object.entries(description).map(([name, content]) => [join(folder, name), content] as const),
  );
}

async function loadHome(description: TreeDescription): Promise<Session["initial"]> {
  using tree = new TemporaryTree({ "project/": "", "home/": "" });
  tree.add(below("home", description));
  return (await startSession({ cwd: tree.at("project"), codeliaHome: tree.at("home") })).initial;
}

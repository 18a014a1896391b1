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
    name: "a text as long as the limit is sent whole",
    tree: { "AGENTS.md": "hello" },
    settings: { initial: { maxBytes: 5 } },
    text: "hello",
  },
  {
    name: "a longer text is cut at the limit",
    tree: { "AGENTS.md": "A".repeat(20) },
    settings: { initial: { maxBytes: 8 } },
    text: "A".repeat(8),
  },
  {
    name: "a cut never goes through a character",
    tree: { "AGENTS.md": "😀😀" },
    settings: { initial: { maxBytes: 7 } },
    text: "😀",
  },
  {
    name: "a limit of zero switches project text off, and home's stays",
    tree: { "AGENTS.md": "P" },
    home: { "AGENTS.md": "U" },
    settings: { initial: { maxBytes: 0 } },
    text: "U",
    sources: ["home:AGENTS.md"],
  },
  {
    name: "home text alone has no separator",
    tree: {},
    home: { "AGENTS.md": "U" },
    text: "U",
  },
  {
    name: "every directory from the root to cwd speaks, the root first",
    tree: { ".git": "", "AGENTS.md": "root doc", "w/c/AGENTS.md": "crate doc" },
    cwd: "w/c",
    text: "root doc\n\ncrate doc",
    sources: ["AGENTS.md", "w/c/AGENTS.md"],
  },
  {
    name: "project text is sent as it is, line ends too",
    tree: { ".git": "", "AGENTS.md": "R\r\n", "n/AGENTS.md": "\nC\n" },
    cwd: "n",
    text: "R\r\n\n\n\nC\n",
  },
  {
    name: "an override stands for AGENTS.md beside it",
    tree: { "AGENTS.md": "versioned", "AGENTS.override.md": "local" },
    text: "local",
    sources: ["AGENTS.override.md"],
  },
  {
    name: "AGENTS.md goes before fallbacks, and these in their order",
    tree: { "AGENTS.md": "p", "EX.md": "s", "n/B.md": "b", "n/EX.md": "e", ".git": "" },
    cwd: "n",
    settings: { fallbackFilenames: ["EX.md", "B.md"] },
    text: "p\n\ne",
  },
  {
    name: "a FIFO named AGENTS.md is ignored, and never waited for",
    tree: { "AGENTS.md": { fifo: true } },
    text: "",
    sources: [],
  },
  {
    name: "a link to a file of the project is read under its own name",
    tree: { ".git": "", "docs/A.md": "L", "AGENTS.md": { link: "docs/A.md" } },
    text: "L",
    sources: ["AGENTS.md"],
  },
  {
    name: "a link out of the root is not read (decisions A3; there it is)",
    tree: { "p/.git": "", "s.md": "S", "p/AGENTS.md": { link: "../s.md" } },
    cwd: "p",
    text: "",
    sources: [],
  },
  {
    name: "a link that leads nowhere is passed over (there an error at reading)",
    tree: { "AGENTS.override.md": { link: "nowhere" }, "AGENTS.md": "p" },
    text: "p",
  },
  { name: "the case of the name is exact", tree: { "agents.md": "p" }, text: "", sources: [] },
  {
    name: "a blank override stands for AGENTS.md all the same (decisions A5)",
    tree: { "AGENTS.md": "p", "AGENTS.override.md": " \n" },
    text: "",
    sources: [],
  },
  {
    name: "without a marker only cwd speaks",
    tree: { "AGENTS.md": "P", "n/AGENTS.md": "C" },
    cwd: "n",
    settings: { root: { markers: [".no-such-marker"] } },
    text: "C",
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

describe("agents_md_load: project instructions load as in Codex", () => {
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

describe("home_instructions: they load as in Codex", () => {
  test("without files there is no text and no warning", async () => {
    const { joined, bundle } = await loadHome({});
    expect([joined, bundle.skipped]).toEqual(["", []]);
  });

  test("an empty override gives way to the default, which is trimmed", async () => {
    const { joined } = await loadHome({ "AGENTS.override.md": " \n\t", "AGENTS.md": "\n  d i  \n" });
    expect(joined).toBe("d i");
  });

  test.each<[string, TreeDescription, string]>([
    ["an override with text goes before the default", { "AGENTS.override.md": " o ", "AGENTS.md": "d" }, "o"],
    ["two blank files are none", { "AGENTS.override.md": "", "AGENTS.md": " \n" }, ""],
    ["a directory gives way to the default", { "AGENTS.override.md/": "", "AGENTS.md": "d" }, "d"],
    [
      "invalid UTF-8 is read with replacement characters",
      { "AGENTS.md": Uint8Array.of(0x70, 0xff) },
      "p\ufffd",
    ],
    ["a byte order mark is dropped", { "AGENTS.md": "\ufeff d" }, "d"],
    [
      "blanks of every script count as blank",
      { "AGENTS.override.md": "\u00a0\u3000", "AGENTS.md": "d" },
      "d",
    ],
    ["a link may lead anywhere", { "AGENTS.md": { link: "../elsewhere.md" } }, "linked"],
  ])("%s", async (_, files, text) => {
    expect((await loadHome(files)).joined).toBe(text);
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
  using tree = new TemporaryTree({ "project/": "", "home/": "", "elsewhere.md": "linked" });
  tree.add(below("home", description));
  return (await startSession({ cwd: tree.at("project"), codeliaHome: tree.at("home") })).initial;
}

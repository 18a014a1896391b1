// Trees that chance finds too seldom. Every property sees them first.
import type { EntrySpec, TargetSpec, TreeSpec } from "./random-tree.ts";

const plain: TreeSpec = {
  directories: [],
  marker: ".git",
  depth: 0,
  entries: [],
  cwd: 0,
  codeliaHome: "home/.codelia",
  rootOverride: undefined,
  settings: {
    enabled: true,
    root: { markers: [".git"], stopAtFsRoot: true },
    fallbackFilenames: [],
    home: { enabled: true },
    initial: { maxFiles: 64, maxBytes: 32_768, role: "system" },
    resolver: { enabled: true, maxFilesPerResolve: 8, inline: { maxBytes: 0 } },
  },
  projectTrusted: true,
  othersTrusted: true,
  unreadable: 0,
  targets: [],
  together: false,
};

// Counted back from the last directory.
const [project, codeliaHome, home, outside, base] = [0, 1, 2, 3, 4];

function file(at: number, name: string, text: string): EntrySpec {
  return { at, name, body: { type: "text", content: { bom: false, pieces: [text], repeat: 1 } } };
}

function linkToLastFile(at: number, name: string): EntrySpec {
  return { at, name, body: { type: "link", to: "file", index: 0, absolute: false } };
}

function visit(at: number, touch?: number): TargetSpec {
  return { at, below: "file.ts", asRelative: false, touch };
}

const linkToAnotherCase: TreeSpec = {
  ...plain,
  entries: [file(project, "agents.md", "text"), linkToLastFile(project, "AGENTS.md")],
  targets: [visit(project)],
};

const linkedHome: TreeSpec = {
  ...plain,
  entries: [file(outside, "AGENTS.md", "text"), linkToLastFile(codeliaHome, "AGENTS.md")],
  targets: [visit(codeliaHome)],
};

const blankHomeOverride: TreeSpec = {
  ...plain,
  entries: [file(codeliaHome, "AGENTS.override.md", ""), file(codeliaHome, "AGENTS.md", "text")],
  targets: [visit(codeliaHome)],
};

const directory = (parent: number, name: string) => ({ parent, name, linkTo: undefined, absolute: false });

/** The file is named in the first directory, changes, and is reached through the second. */
const changedBehindLink: TreeSpec = {
  ...plain,
  directories: [directory(0, "a"), directory(1, "b")],
  cwd: 2,
  entries: [file(1, "AGENTS.md", "text"), linkToLastFile(0, "AGENTS.md")],
  targets: [visit(1), visit(0, 0), visit(1)],
};

/** A marker above the home directory, where the search must not go. */
const markerAboveHome: TreeSpec = {
  ...plain,
  cwd: home,
  entries: [{ at: base, name: ".git", body: { type: "directory" } }],
  settings: { ...plain.settings, root: { ...plain.settings.root, stopAtFsRoot: false } },
};

/** The cut before a code point leaves bytes over, which the next file gets. */
const bytesLeftByCut: TreeSpec = {
  ...plain,
  directories: [directory(0, "a")],
  entries: [file(1, "AGENTS.md", "ああ"), file(0, "AGENTS.md", "text")],
  settings: { ...plain.settings, initial: { ...plain.settings.initial, maxBytes: 5 } },
};

export const notableTrees: [TreeSpec][] = [
  [linkToAnotherCase],
  [linkedHome],
  [blankHomeOverride],
  [changedBehindLink],
  [markerAboveHome],
  [bytesLeftByCut],
];

// Random trees with everything a real one may hold where instructions are expected.
import type { AgentsSettings } from "@codelia/shared-types";
import fc from "fast-check";

/** Text, or bytes that are not text. */
type Piece = string | readonly number[];

export interface Content {
  readonly bom: boolean;
  readonly pieces: readonly Piece[];
  readonly repeat: number;
}

type Body =
  | { readonly type: "text"; readonly content: Content }
  | { readonly type: "directory" }
  | { readonly type: "fifo" }
  | { readonly type: "hardlink"; readonly file: number }
  | { readonly type: "link"; readonly to: LinkTarget; readonly index: number; readonly absolute: boolean };

type LinkTarget = "file" | "directory" | "itself" | "nothing" | "below_file";

export interface DirectorySpec {
  /** Counted back from the directory made last, so that 0 makes chains. */
  readonly parent: number;
  readonly name: string;
  /** Instead of a new directory, a link to an earlier one. */
  readonly linkTo: number | undefined;
  readonly absolute: boolean;
}

export interface EntrySpec {
  readonly at: number;
  readonly name: string;
  readonly body: Body;
}

export interface TargetSpec {
  readonly at: number;
  readonly below: string;
  readonly asRelative: boolean;
  /** The file that gets a new modification time before the call. */
  readonly touch: number | undefined;
}

export interface TreeSpec {
  readonly directories: readonly DirectorySpec[];
  /** What makes the project's directory a root. */
  readonly marker: string | undefined;
  /** Directories below the last one. */
  readonly depth: number;
  readonly entries: readonly EntrySpec[];
  readonly cwd: number;
  readonly codeliaHome: string;
  readonly rootOverride: number | undefined;
  readonly settings: AgentsSettings;
  readonly projectTrusted: boolean;
  readonly othersTrusted: boolean;
  readonly unreadable: number;
  readonly targets: readonly TargetSpec[];
  /** All targets at once, as the tool calls of one turn. */
  readonly together: boolean;
}

const customMarker = "ROOT marker";
const fallbackNames = ["CLAUDE.md", "-doc.md", "エージェント.md", "two\nlines.md"];
const small = fc.nat({ max: 9 });
const rarely = (weight: number) => fc.integer({ min: 1, max: weight }).map((n) => n === weight);
/** An index in one of so many cases. */
const maybe = (weight: number) =>
  fc.oneof({ weight: weight - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: small });

// No bytes that have the shape of a code point without being one (encoded surrogates, overlong forms, 0xff
// before 0x80): whether a cut may fall inside them is nobody's concern.
const pieces = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "word ", "é", "あ", "😀", "\n", "\r\n", "\ufeff") },
    { weight: 1, arbitrary: fc.constantFrom("  ", "\t", "\u3000") },
    {
      weight: 1,
      arbitrary: fc.constantFrom<readonly number[]>(
        [0xff, 0x2e],
        [0x80],
        [0xc3],
        [0xe3, 0x81],
        [0xef, 0xbb],
        [0xf0, 0x9f, 0x98],
      ),
    },
  ),
  { minLength: 1, maxLength: 16 },
);
const blankPieces = fc.array(fc.constantFrom(" ", "\t", "\n", "\r\n", "\u00a0", "\u3000"), { maxLength: 6 });
/** Most files are small; a few are larger than the budget and than any buffer. */
const repeat = fc.oneof(
  { weight: 60, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 1000, max: 4000 }) },
);

const content: fc.Arbitrary<Content> = fc.record({
  bom: rarely(4),
  pieces: fc.oneof({ weight: 4, arbitrary: pieces }, { weight: 1, arbitrary: blankPieces }),
  repeat,
});

const body: fc.Arbitrary<Body> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ type: fc.constant("text" as const), content }) },
  { weight: 1, arbitrary: fc.constant({ type: "directory" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "fifo" as const }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("hardlink" as const), file: small }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("link" as const),
      to: fc.constantFrom<LinkTarget>("file", "file", "file", "directory", "itself", "nothing", "below_file"),
      index: small,
      absolute: fc.boolean(),
    }),
  },
);

const entry: fc.Arbitrary<EntrySpec> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      at: fc.nat({ max: 7 }),
      name: fc.oneof(
        { weight: 5, arbitrary: fc.constant("AGENTS.md") },
        { weight: 2, arbitrary: fc.constant("AGENTS.override.md") },
        { weight: 3, arbitrary: fc.constantFrom(...fallbackNames, "agents.md") },
      ),
      body,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      at: small,
      name: fc.constantFrom(".git", ".codelia", ".jj", customMarker),
      body: fc.constantFrom<Body>(
        { type: "directory" },
        { type: "text", content: { bom: false, pieces: ["gitdir: x"], repeat: 1 } },
      ),
    }),
  },
);

const directory: fc.Arbitrary<DirectorySpec> = fc.record({
  parent: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: small }),
  name: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom("a", "b b", "-rf", "new\nline", "目录", "..c", "pkg") },
    { weight: 1, arbitrary: fc.constant("AGENTS.md") },
  ),
  linkTo: maybe(8),
  absolute: fc.boolean(),
});

const settings: fc.Arbitrary<AgentsSettings> = fc.record({
  enabled: fc.constant(true),
  root: fc.record({
    markers: fc.oneof(
      { weight: 5, arbitrary: fc.constant<string[]>([".codelia", ".git", ".jj"]) },
      { weight: 2, arbitrary: fc.constantFrom<string[]>([".git"], [customMarker], ["AGENTS.md"], []) },
    ),
    stopAtFsRoot: fc.boolean(),
  }),
  fallbackFilenames: fc.subarray([...fallbackNames, "AGENTS.md"]),
  home: fc.record({ enabled: rarely(6).map((off) => !off) }),
  initial: fc.record({
    maxFiles: fc.oneof(fc.constant(64), fc.integer({ min: 1, max: 3 })),
    maxBytes: fc.oneof(
      { weight: 4, arbitrary: fc.constant(32_768) },
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }) },
      { weight: 1, arbitrary: fc.constant(0) },
    ),
    role: fc.constantFrom("system", "user"),
  }),
  resolver: fc.record({
    enabled: fc.constant(true),
    maxFilesPerResolve: fc.constantFrom(8, 1, 2),
    inline: fc.constant({ maxBytes: 0 }),
  }),
});

const target: fc.Arbitrary<TargetSpec> = fc.record({
  at: small,
  below: fc.constantFrom("", "file.ts", "AGENTS.md", "a", "missing/deeper/file.ts", "AGENTS.md/below"),
  asRelative: fc.boolean(),
  touch: maybe(4),
});

export const treeSpecs: fc.Arbitrary<TreeSpec> = fc.record({
  directories: fc.array(directory, { maxLength: 9, size: "max" }),
  marker: fc.constantFrom(".git", ".git", ".git", ".codelia", customMarker, undefined),
  depth: fc.oneof(
    { weight: 15, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 50 }) },
  ),
  entries: fc.array(entry, { maxLength: 40, size: "max" }),
  cwd: fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: small }),
  codeliaHome: fc.constantFrom("home/.codelia", "home/.codelia", "data", "work/.codelia"),
  rootOverride: maybe(5),
  settings,
  projectTrusted: rarely(6).map((not) => !not),
  othersTrusted: rarely(3).map((not) => !not),
  unreadable: small,
  targets: fc.array(target, { minLength: 1, maxLength: 6 }),
  together: rarely(4),
});

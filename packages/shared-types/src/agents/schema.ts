// Shapes of AGENTS.md loading: settings, what was found, and the records a session keeps of it.
import { z } from "zod";

const fileName = z
  .string()
  .min(1)
  .refine((name) => !/[/\\\0]/.test(name) && name !== "." && name !== "..", {
    message: "expected a plain file name without a path",
  });

const enabled = z.boolean();

const root = z.strictObject({
  projectRootOverride: z
    .string()
    .min(1)
    .optional()
    .describe("Use this directory as the root instead of searching for a marker."),
  markers: z
    .array(fileName)
    .describe(
      "A directory that holds one of these names is a root. Empty: the root is the working directory.",
    ),
  stopAtFsRoot: z
    .boolean()
    .describe(
      "true: the search may go up to the file system's root. false: it does not go above the home directory.",
    ),
});

const home = z.strictObject({
  enabled: enabled.describe("Load the user's own AGENTS.md from Codelia's home directory."),
});

const initial = z.strictObject({
  maxFiles: z
    .number()
    .int()
    .positive()
    .describe("At most this many project files are included at session start."),
  maxBytes: z
    .number()
    .int()
    .nonnegative()
    .describe(
      "At most this many bytes of project text are included at session start. 0 disables project text.",
    ),
  role: z
    .enum(["system", "user"])
    .describe("Whether the instructions are sent as a system message or as a user message."),
});

const inline = z.strictObject({
  maxBytes: z
    .number()
    .int()
    .nonnegative()
    .describe("Bytes of file text that may follow the paths of a reminder. 0: paths only."),
});

const resolver = z.strictObject({
  enabled: enabled.describe(
    "Tell the model about further AGENTS.md files when work moves to another directory.",
  ),
  maxFilesPerResolve: z
    .number()
    .int()
    .positive()
    .describe("At most this many files are named in one reminder."),
  inline,
});

const fallbackFilenames = z
  .array(fileName)
  .describe(
    "File names to try, in this order, where a directory has neither AGENTS.override.md nor AGENTS.md.",
  );

/** The settings with every default filled in; only `projectRootOverride` has none. */
export const AgentsSettingsSchema = z.strictObject({
  enabled: enabled.describe("false: no AGENTS.md is loaded at all."),
  root,
  fallbackFilenames,
  home,
  initial,
  resolver,
});

/** What a config file may say: the same keys, each of them optional. */
export const AgentsConfigSchema = AgentsSettingsSchema.extend({
  root: root.partial(),
  home: home.partial(),
  initial: initial.partial(),
  resolver: resolver.extend({ inline: inline.partial() }).partial(),
}).partial();

const resolvedFile = z.strictObject({
  path: z.string(),
  mtimeMs: z.number().nonnegative(),
  sizeBytes: z.number().int().nonnegative(),
});

/** What `resolveAgentsForPath` promises to every caller: paths and versions, never text. */
export const ResolvedAgentsSchema = z.strictObject({ files: z.array(resolvedFile) });

/** The state of one file at one moment. `sha256` is known only when the whole file was read. */
export const AgentsFileVersionSchema = z.strictObject({
  mtimeMs: z.number().nonnegative(),
  ctimeMs: z.number().nonnegative(),
  sizeBytes: z.number().int().nonnegative(),
  inode: z.number().nonnegative(),
  realPath: z.string(),
  sha256: z.string().optional(),
});

export const AgentsFileKindSchema = z.enum(["home", "override", "standard", "fallback"]);

/** One file of the initial chain and how much of it is in the bundle. */
export const AgentsFileSchema = z.strictObject({
  path: z.string(),
  kind: AgentsFileKindSchema,
  status: z.enum(["whole", "cut", "omitted"]),
  /** Bytes of text in the file and in the bundle; a byte order mark counts as neither. */
  totalBytes: z.number().int().nonnegative(),
  keptBytes: z.number().int().nonnegative(),
  /** Of the kept bytes. */
  sha256: z.string(),
  mtimeMs: z.number().nonnegative(),
  /** Tags of ours that the text tried to open or close and that were made harmless. */
  neutralisedTags: z.number().int().nonnegative(),
});

export const AgentsSkipReasonSchema = z.enum([
  "blank",
  "case_mismatch",
  "cyclic_link",
  "dangling_link",
  "disabled",
  "duplicate",
  "not_a_file",
  "outside_root",
  "shadowed",
  "unreadable",
  "untrusted",
  "vanished",
]);

/** A candidate that exists and is not used, with the reason. */
export const AgentsSkipSchema = z.strictObject({
  path: z.string(),
  reason: AgentsSkipReasonSchema,
  /** The other path, the link's target or the system's error, whichever the reason is about. */
  detail: z.string().optional(),
});

export const AgentsRootSchema = z.strictObject({
  path: z.string(),
  rule: z.enum(["override", "marker", "cwd"]),
  marker: z.string().optional(),
});

/** The one message of a session start. It never changes after it was made. */
export const AgentsBundleSchema = z.strictObject({
  cwd: z.string(),
  root: AgentsRootSchema,
  role: z.enum(["system", "user"]),
  /** The exact text that is sent; absent when there is nothing to send. */
  text: z.string().optional(),
  files: z.array(AgentsFileSchema),
  skipped: z.array(AgentsSkipSchema),
});

export const AgentsRemovalSchema = z.strictObject({
  path: z.string(),
  reason: z.enum(["deleted", "emptied", "replaced", "unavailable"]),
  /** The file that is in force instead. */
  by: z.string().optional(),
});

/** What one tool call's path adds to the conversation. */
export const AgentsResolutionSchema = ResolvedAgentsSchema.extend({
  /** Paths among `files` that were shown before in another version. */
  changed: z.array(z.string()),
  removed: z.array(AgentsRemovalSchema),
  /** Files that apply but were held back by `maxFilesPerResolve`. */
  pending: z.number().int().nonnegative(),
  skipped: z.array(AgentsSkipSchema),
});

const presentedFile = z.strictObject({ path: z.string(), version: AgentsFileVersionSchema });

const place = { cwd: z.string(), root: z.string(), markers: z.array(z.string()) };

const ledgerChange = {
  coveredDirs: z.array(z.string()),
  presented: z.array(presentedFile),
  removed: z.array(z.string()),
  /** Skips that were told, so that they are not told again. */
  reported: z.array(z.string()),
};

/** Journal records. The ledger of a session is a fold over those that are still in its context. */
export const AgentsRecordSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("agents.initial"), ...place, ...ledgerChange }),
  z.strictObject({ type: z.literal("agents.resolve"), target: z.string(), ...ledgerChange }),
  z.strictObject({ type: z.literal("agents.resume"), ...place, ...ledgerChange }),
]);

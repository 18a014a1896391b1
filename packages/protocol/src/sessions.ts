// `session.*`: what is known of sessions, and what can be done with them.
import { z } from "zod";
import { TodoItemWireSchema } from "./run.ts";

/** What a list shows of a session. */
export const SessionSummarySchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  /** Of its start. */
  cwd: z.string(),
  root: z.string(),
  /** The root is no longer there: a worktree that was removed, a repository that was moved. */
  root_is_gone: z.boolean(),
  model: z.string(),
  /** `running`: some process has it open; `interrupted`: its process was ended. */
  state: z.enum(["done", "failed", "limit", "interrupted", "running"]),
  forked_from: z.string().optional(),
  /** The run of a flow that it is a part of. */
  flow: z.strictObject({ run_id: z.string(), agent: z.string(), step: z.string() }).optional(),
});

export const SessionPrepareParamsSchema = z.strictObject({ cwd: z.string() });

/** Nothing is written before the first prompt. */
export const SessionPrepareResultSchema = z.strictObject({
  /** For `run.start` with `{how: "prepared", id}`. */
  id: z.string(),
  root: z.string(),
  notices: z.array(z.string()),
});

export const SessionListParamsSchema = z.strictObject({
  cwd: z.string(),
  /** The sessions of all repositories. */
  all: z.boolean(),
  limit: z.number().int().positive(),
  /** The `next_cursor` of the page before; absent: from the last used on. */
  cursor: z.string().optional(),
});

/** A session that cannot be read, or not to its end, and why. */
const problems = z.array(z.strictObject({ id: z.string(), problem: z.string() }));

export const SessionListResultSchema = z.strictObject({
  /** Of the project that was asked for: sessions with another one are those of other worktrees. */
  root: z.string(),
  /** The last used first. */
  sessions: z.array(SessionSummarySchema),
  /** How many there are in all, readable or not. */
  total: z.number(),
  /** For the next page; absent on the last one. */
  next_cursor: z.string().optional(),
  problems,
});

/** One session; without `id` the last one of this project. */
const chosen = { cwd: z.string(), id: z.string().optional() };

export const SessionOpenParamsSchema = z.strictObject(chosen);

/** What `run.start` would go on with. Nothing is changed, and no lock is held. */
export const SessionOpenResultSchema = z.strictObject({
  session: SessionSummarySchema,
  /** Where its last run took place. */
  cwd: z.string(),
  /** The model that goes on unless another one is named. */
  model: z.string(),
  prompts: z.number(),
  answers: z.number(),
  /** Calls that were interrupted: the model is told so, and they are not run again. */
  open_calls: z.array(
    z.strictObject({
      call_id: z.string(),
      tool: z.string(),
      /** `effect`: it had begun, and what came of it is not known. */
      progress: z.enum(["not_started", "looking", "effect"]),
    }),
  ),
  /** The model's own list. */
  todo: z.array(TodoItemWireSchema),
  /** Why it cannot be gone on with here, and what to do instead. Absent: it can. */
  obstacle: z.strictObject({ message: z.string(), hint: z.string().optional() }).optional(),
  notices: z.array(z.string()),
});

export const SessionForkParamsSchema = z.strictObject(chosen);

export const SessionForkResultSchema = z.strictObject({
  /** The copy. */
  session: SessionSummarySchema,
  notices: z.array(z.string()),
});

export const SessionExportParamsSchema = z.strictObject({
  ...chosen,
  /** `text` is for a terminal: outputs are shortened. */
  format: z.enum(["md", "html", "json", "text"]),
  /** The `next_cursor` of the part before; absent: from the start. */
  cursor: z.string().optional(),
});

export const SessionExportResultSchema = z.strictObject({
  session: SessionSummarySchema,
  /** The parts one after the other are the document. */
  text: z.string(),
  /** For the next part; absent with the last. */
  next_cursor: z.string().optional(),
});

const place = { seq: z.number(), at: z.string() };

/** What happened around the conversation. */
export const NoteKindSchema = z.enum([
  "fork",
  "resume",
  "reminder",
  "compaction",
  "failure",
  "limit",
  "interrupted",
  "undo",
  /** A record of a kind that this version does not know. */
  "unknown",
]);

/** One step of a session, as a person would tell it. */
export const TranscriptEntrySchema = z.discriminatedUnion("type", [
  z.strictObject({
    ...place,
    type: z.literal("prompt"),
    text: z.string(),
    images: z.number(),
    steering: z.boolean(),
  }),
  z.strictObject({
    ...place,
    type: z.literal("answer"),
    text: z.string(),
    reasoning: z.string(),
    calls: z.array(z.strictObject({ call_id: z.string(), tool: z.string(), arguments: z.string() })),
    interrupted: z.boolean(),
  }),
  /** A call begins. One that was denied never does. */
  z.strictObject({
    ...place,
    type: z.literal("call"),
    call_id: z.string(),
    tool: z.string(),
    /** What is done, in one line. */
    title: z.string(),
  }),
  z.strictObject({
    ...place,
    type: z.literal("tool"),
    call_id: z.string(),
    tool: z.string(),
    output: z.string(),
    is_error: z.boolean(),
    /** Where the whole output is, when `output` is a part of it. */
    output_ref: z.string().optional(),
  }),
  z.strictObject({
    ...place,
    type: z.literal("permission"),
    call_id: z.string(),
    decision: z.enum(["allow", "deny"]),
    by: z.enum(["rule", "mode", "user", "no_user"]),
    reason: z.string(),
  }),
  z.strictObject({ ...place, type: z.literal("note"), kind: NoteKindSchema, text: z.string() }),
]);

export type NoteKind = z.infer<typeof NoteKindSchema>;
export type TranscriptEntry = z.infer<typeof TranscriptEntrySchema>;
export type SessionSummary = z.infer<typeof SessionSummarySchema>;

export const SessionHistoryParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Absent: the last session of this project. */
  id: z.string().optional(),
  /** Where the first page is. `end`: the last entries come first, and further pages are earlier ones. Absent: `start`. */
  from: z.enum(["start", "end"]).optional(),
  /** The `next_cursor` of the page before, with the same `from`; absent: the first page. */
  cursor: z.string().optional(),
  /** At most so many entries; a page may have fewer, and none, before the last. */
  limit: z.number().int().positive(),
});

export const SessionHistoryResultSchema = z.strictObject({
  session: SessionSummarySchema,
  /** In order, whichever end pages come from. */
  entries: z.array(TranscriptEntrySchema),
  /** For the next page; absent on the last one. */
  next_cursor: z.string().optional(),
  /** Only with `from: "end"`: with it pages from the start go on behind this one, also with what is said later. */
  newer_cursor: z.string().optional(),
  notices: z.array(z.string()),
});

export const SessionSearchParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Found wherever it stands, whatever its case. */
  text: z.string().min(1),
  all: z.boolean(),
  limit: z.number().int().positive(),
});

export const SessionSearchResultSchema = z.strictObject({
  /** One a step of a session; the last used session first. */
  matches: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      seq: z.number(),
      at: z.string(),
      type: z.enum(["prompt", "answer", "call", "tool", "permission", "note"]),
      /** One line around the place, in which characters that act are visible. */
      excerpt: z.string(),
    }),
  ),
  /** There are more than were asked for. */
  more: z.boolean(),
  /** How many sessions were looked at. */
  searched: z.number(),
  problems,
});

export const SessionDeleteParamsSchema = z.strictObject({ cwd: z.string(), id: z.string() });
export const SessionDeleteResultSchema = z.strictObject({ id: z.string() });

export const SessionUndoParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Absent: the last session of this project. */
  id: z.string().optional(),
  dry_run: z.boolean(),
});

export const SessionUndoResultSchema = z.strictObject({
  id: z.string(),
  /** The prompt whose changes were undone. */
  prompt: z.string(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** What was done: the old content is back, or the file that was new is gone, or it was so already. */
      action: z.enum(["restored", "removed", "unchanged"]),
    }),
  ),
  /** Commands that ran for the same prompt: what they changed is not known, and stays. */
  commands: z.array(z.string()),
  /** What the user should know of the session besides: damage in its journal. */
  notices: z.array(z.string()),
});

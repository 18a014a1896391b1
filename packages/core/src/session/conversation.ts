// The conversation of a session as a fold over its records: a live run and a resumed one see the same.
import type {
  AgentsRecord,
  LoadedSkill,
  Message,
  SeenFile,
  SessionEntry,
  SessionRecordOf,
  ToolCallPart,
  Usage,
} from "@codelia/shared-types";
import { leaveOutImages, withoutImages } from "./refused-images.ts";

/** One message that the model sees, and what else its record said. */
export interface ConversationItem {
  /** Of the record that it comes from. */
  readonly seq: number;
  /** `compaction` stands for everything that was left out before it. */
  readonly origin: "prompt" | "reminder" | "model" | "tool" | "compaction";
  readonly message: Message;
  readonly agents: readonly AgentsRecord[];
  readonly seen: readonly SeenFile[];
  /** Skills whose bodies the message holds. */
  readonly skills: readonly LoadedSkill[];
  /** Where a tool's whole output is kept, when the message holds a part of it. */
  readonly outputRef: string | undefined;
}

/** What the provider counted, and how many items its request and answer had. */
export interface CountedUsage {
  readonly usage: Usage;
  readonly items: number;
}

type ContextRecord = SessionRecordOf<"session.context">;
type CompactionRecord = SessionRecordOf<"compaction">;
type PlaceRecord = Exclude<AgentsRecord, { type: "agents.resolve" }>;

export class Conversation {
  #context: ContextRecord | undefined;
  #items: ConversationItem[] = [];
  /** The same, as a request needs it; kept so that a turn does not copy the whole history twice. */
  #messages: Message[] = [];
  #compaction: CompactionRecord | undefined;
  #counted: CountedUsage | undefined;
  /** The last place that was told, though its message may be out of the context by now. */
  #place: PlaceRecord | undefined;
  #knownSkills: readonly string[] | undefined;
  readonly #skillsInForce = new Map<string, LoadedSkill>();

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.apply(entry);
  }

  /** The fixed start of every request; absent before its record was applied. */
  get context(): ContextRecord | undefined {
    return this.#context;
  }

  /** Everything after the fixed start, in the order in which the model sees it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get items(): readonly ConversationItem[] {
    return this.#items;
  }

  get lastCompaction(): CompactionRecord | undefined {
    return this.#compaction;
  }

  /** Of the last answer in the context. */
  get counted(): CountedUsage | undefined {
    return this.#counted;
  }

  /** Where the session goes on, when that is not where it began. */
  get movedTo(): { readonly cwd: string; readonly root: string } | undefined {
    const start = this.#context?.agents;
    const place = this.#place;
    if (start === undefined || place === undefined || start.type === "agents.resolve") return undefined;
    return place.cwd === start.cwd && place.root === start.root ? undefined : place;
  }

  /** Calls of the last answer that have no result yet. */
  get openCalls(): ToolCallPart[] {
    const last = this.#items.findLastIndex(({ origin }) => origin === "model");
    const message = this.#items[last]?.message;
    if (message?.role !== "assistant") return [];
    const answered = new Set(
      this.#items
        .slice(last + 1)
        .map((item) => (item.message.role === "tool" ? item.message.toolCallId : undefined)),
    );
    return message.content.filter(
      (part): part is ToolCallPart => part.type === "tool_call" && !answered.has(part.id),
    );
  }

  /** What the model was told about AGENTS.md and still has in its context. */
  agentsRecords(): AgentsRecord[] {
    const told = this.#items.flatMap(({ agents }) => agents);
    const records = this.#context === undefined ? told : [this.#context.agents, ...told];
    if (this.#place === undefined || records.includes(this.#place)) return records;
    const { cwd, root, markers } = this.#place;
    const nothing = { coveredDirs: [], presented: [], removed: [], reported: [] };
    // The note about the move may be gone; that the session moved still holds.
    return [
      ...records.slice(0, 1),
      { type: "agents.resume", cwd, root, markers, ...nothing },
      ...records.slice(1),
    ];
  }

  /** Files as the model saw them in what is still in its context. */
  seenFiles(): Map<string, string> {
    const files = new Map<string, string>();
    for (const { path, sha256 } of this.#items.flatMap(({ seen }) => seen)) {
      if (sha256 === undefined) files.delete(path);
      else files.set(path, sha256);
    }
    return files;
  }

  /** Skills whose bodies are still in the context, by path, each in the version that was given last. */
  loadedSkills(): Map<string, LoadedSkill> {
    return new Map(this.#items.flatMap(({ skills }) => skills).map((skill) => [skill.path, skill]));
  }

  /** Every skill that was loaded, also when its body is out of the context by now: what it asks for still holds. */
  get skillsInForce(): readonly LoadedSkill[] {
    return [...this.#skillsInForce.values()];
  }

  /** Paths of the skills that there are, as the model was last told; undefined: nobody has looked at all of them. */
  get knownSkills(): readonly string[] | undefined {
    return this.#knownSkills;
  }

  apply({ seq, record }: SessionEntry): void {
    switch (record.type) {
      case "session.context":
        this.#context = record;
        this.#knownSkills = record.skills;
        this.#place = placeOf([record.agents]) ?? this.#place;
        break;
      case "message.user":
        this.#add({ seq, origin: "prompt", message: record.message });
        break;
      case "reminder":
        this.#add({
          seq,
          origin: "reminder",
          message: textMessage(record.text),
          agents: record.agents,
          skills: record.skills ?? [],
        });
        this.#knownSkills = record.skillsNow ?? this.#knownSkills;
        break;
      case "message.assistant":
        this.#add({ seq, origin: "model", message: record.message });
        if (record.usage !== undefined) this.#counted = { usage: record.usage, items: this.#items.length };
        break;
      case "message.tool": {
        const { message, agents, seen, skills = [], outputRef } = record;
        this.#add({ seq, origin: "tool", message, agents, seen, skills, outputRef });
        break;
      }
      case "images.refused":
        this.#refuseImages(record);
        break;
      case "skills.known":
        this.#knownSkills = record.paths;
        break;
      case "compaction":
        this.#compact(seq, record);
        break;
      case "session.start":
      case "session.resume":
      case "request":
      case "request.failed":
      case "permission":
      case "tool.intent":
      case "files.change":
      case "compaction.failed":
      case "limit":
      case "flow.query":
      case "undo.intent":
      case "undo":
      case "run.end":
        break;
    }
  }

  #add(item: Pick<ConversationItem, "seq" | "origin" | "message"> & Partial<ConversationItem>): void {
    const whole = { agents: [], seen: [], skills: [], outputRef: undefined, ...item };
    this.#items.push(whole);
    this.#messages.push(whole.message);
    for (const skill of whole.skills) this.#skillsInForce.set(skill.path, skill);
    this.#place = placeOf(whole.agents) ?? this.#place;
  }

  #refuseImages(refused: SessionRecordOf<"images.refused">): void {
    this.#items = leaveOutImages(this.#items, refused);
    this.#messages = this.#items.map(({ message }) => message);
    const compacted = this.#items.find(({ origin }) => origin === "compaction");
    if (this.#compaction === undefined || !refused.seqs.includes(compacted?.seq ?? -1)) return;
    // The next compaction goes on from what this one carried.
    const instructions = this.#compaction.instructions.map((each) => withoutImages(each, refused.reason));
    this.#compaction = { ...this.#compaction, instructions };
  }

  #compact(seq: number, record: CompactionRecord): void {
    const trimmed = new Map(record.trimmed.map((each) => [each.seq, each.output]));
    const kept = this.#items
      .filter((item) => item.origin !== "compaction" && item.seq >= record.keptFrom)
      .map((item) => shortened(item, trimmed.get(item.seq)));
    this.#items = [];
    this.#messages = [];
    this.#compaction = record;
    this.#counted = undefined;
    this.#add({ seq, origin: "compaction", message: record.message });
    for (const item of kept) this.#add(item);
  }
}

/** What was told at the end of an output goes with it, and is told again. So do its images, which are not. */
function shortened(item: ConversationItem, output: string | undefined): ConversationItem {
  if (output === undefined || item.message.role !== "tool") return item;
  const { images: _, ...message } = item.message;
  return { ...item, message: { ...message, output }, agents: [], seen: [], skills: [] };
}

function placeOf(records: readonly AgentsRecord[]): PlaceRecord | undefined {
  return records.findLast((record): record is PlaceRecord => record.type !== "agents.resolve");
}

function textMessage(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

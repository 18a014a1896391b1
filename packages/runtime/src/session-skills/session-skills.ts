// The skills of one session: which there are, which bodies its context holds, and what the model has to be told.
import { BoundedOutput, type OutputStore, renderReminder, type SessionLog } from "@codelia/core";
import type { LoadedSkill, PermissionDecision, SessionRecordOf, UserMessage } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import type { Blobs, Disk } from "@codelia/storage";
import { redactText, type Secret } from "../secrets/index.ts";
import {
  loadSkill,
  mentionedSkills,
  type OpenedCatalog,
  type ResolvedSkill,
  type SkillFailure,
  type SkillResolution,
  type SkillSelector,
  type Skills,
} from "../skills/index.ts";
import { changedSkills } from "./changed-skills.ts";

export interface SessionSkillOptions {
  readonly open: () => Promise<OpenedCatalog>;
  readonly log: SessionLog;
  readonly blobs: Pick<Blobs, "put">;
  /** Where what is too long for a message is kept whole. */
  readonly outputs: OutputStore;
  readonly disk: Disk;
  readonly secrets: readonly Secret[];
}

/** Whether a skill that the user named may be loaded; the same road as for a call of skill_load. */
export type DecideMention = (skill: ResolvedSkill) => Promise<PermissionDecision>;

/** What a load gives: the body, or the word that the context has it already. */
export type Presentation =
  | { readonly kind: "body"; readonly text: string; readonly skill: LoadedSkill }
  | { readonly kind: "known"; readonly text: string }
  | { readonly kind: "failed"; readonly failure: SkillFailure };

export interface InitialSkills {
  /** The catalog; absent when its limits leave no room. */
  readonly text: string | undefined;
  /** Of all skills; undefined: not all were looked at. */
  readonly paths: readonly string[] | undefined;
}

export class SessionSkills {
  readonly #options: SessionSkillOptions;
  #opened: Promise<OpenedCatalog> | undefined;
  #skills: Promise<Skills> | undefined;
  /** Skills may have come or gone since they were looked for. */
  #mayBeOld = false;
  /** Bodies given by calls of the running turn, whose results are not recorded yet. */
  #underWay: { turn: number; bodies: Map<string, string> } = { turn: -1, bodies: new Map() };

  #lastPresentation: Promise<unknown> = Promise.resolve();

  constructor(options: SessionSkillOptions) {
    this.#options = options;
  }

  /** What a session that starts now is told; undefined: nothing, because there are none. */
  async initial(): Promise<InitialSkills | undefined> {
    const { initial } = await this.#open();
    if (initial.total === 0) return undefined;
    const isAll = initial.shown.length === initial.total;
    return { text: initial.text, paths: isAll ? initial.shown.map(({ path }) => path) : undefined };
  }

  /** As they were when they were last looked for. */
  current(): Promise<Skills> {
    this.#skills ??= this.#open().then((opened) => opened.whole());
    return this.#skills;
  }

  /** Looks again. */
  refreshed(): Promise<Skills> {
    this.#skills =
      this.#skills === undefined ? this.current() : this.#skills.then((skills) => skills.refresh());
    return this.#skills;
  }

  #open(): Promise<OpenedCatalog> {
    this.#opened ??= this.#options.open();
    return this.#opened;
  }

  /**
   * To be called when the session is left: what was read is kept for the next start, and what there was for the next run.
   * @effects may look at all skills, when the session's start did not
   */
  async leave(): Promise<void> {
    const { log } = this.#options;
    const { context, knownSkills } = log.conversation;
    if (this.#opened === undefined) return;
    const { initial } = await this.#opened;
    if (initial.total > 0 && context !== undefined && knownSkills === undefined) {
      const { catalog } = await this.current();
      await log.append({ type: "skills.known", paths: catalog.skills.map(({ path }) => path) });
    }
    await (await this.#skills)?.saved;
  }

  /** A skill that is not known may be new, so a failure is final only after a second look. */
  async resolve(selector: SkillSelector): Promise<SkillResolution> {
    const first = (await this.current()).resolve(selector);
    return first.ok ? first : (await this.refreshed()).resolve(selector);
  }

  /**
   * The body of a skill, unless the context holds it in this very version. One after the other, so that of two calls
   * of a turn it is always the first that gets the body.
   * @effects reads the skill; keeps its text with the session
   */
  present(resolved: ResolvedSkill): Promise<Presentation> {
    const presentation = this.#lastPresentation.then(() => this.#present(resolved));
    this.#lastPresentation = presentation.catch(() => undefined);
    return presentation;
  }

  async #present(resolved: ResolvedSkill): Promise<Presentation> {
    const { disk, log, secrets, blobs } = this.#options;
    const load = await loadSkill(resolved, { disk });
    if (!load.ok) return { kind: "failed", failure: load.failure };
    const { name, realPath: path, mtimeMs, sha256 } = load.loaded;
    const inContext = log.conversation.loadedSkills().get(path);
    if (inContext?.sha256 === sha256) return { kind: "known", text: knownNote(inContext) };
    const bodies = this.#bodiesUnderWay();
    if (bodies.get(path) === sha256) {
      return {
        kind: "known",
        text: `The skill ${name} is given by another call of this turn; see its result.\n`,
      };
    }
    bodies.set(path, sha256);
    const text = redactText(secrets, load.loaded.text);
    const ref = await blobs.put(new TextEncoder().encode(text));
    return { kind: "body", text, skill: { name, path, mtimeMs, sha256, ref } };
  }

  #bodiesUnderWay(): Map<string, string> {
    const turn = this.#options.log.conversation.items.findLast(({ origin }) => origin === "model")?.seq ?? 0;
    if (this.#underWay.turn !== turn) this.#underWay = { turn, bodies: new Map() };
    return this.#underWay.bodies;
  }

  /** The note about skills that came or went since the model was last told. */
  async changes(): Promise<SessionRecordOf<"reminder"> | undefined> {
    const { context, knownSkills } = this.#options.log.conversation;
    if (context === undefined) return undefined;
    const skills = await this.refreshed();
    const hasTools = context.tools.some(({ name }) => name === "skill_load");
    // A session that was killed before its skills were looked at takes what there is now.
    const known = knownSkills ?? (hasTools ? undefined : []);
    return known === undefined ? undefined : changedSkills(skills, known, hasTools);
  }

  /** What goes along with a message of the user: changes since the last one, and the skills that it names. */
  async accompany(message: UserMessage, decide: DecideMention): Promise<SessionRecordOf<"reminder">[]> {
    const records: SessionRecordOf<"reminder">[] = [];
    if (this.#mayBeOld) {
      const changed = await this.changes();
      if (changed !== undefined) records.push(changed);
    }
    this.#mayBeOld = true;
    const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    // Most messages name none, and then nothing is looked for.
    if (!text.includes("$")) return records;
    const mentioned = await this.#mentioned(text, decide);
    return mentioned === undefined ? records : [...records, mentioned];
  }

  async #mentioned(text: string, decide: DecideMention): Promise<SessionRecordOf<"reminder"> | undefined> {
    const skills = await this.current();
    const mentioned = mentionedSkills(text, skills);
    const notes = mentioned.failures.map(({ name, failure }) => failureNote(name, failure));
    const bodies: string[] = [];
    const loaded: LoadedSkill[] = [];
    for (const resolved of mentioned.skills) {
      const { name } = resolved.skill;
      const decision = await decide(resolved);
      if (decision.decision === "deny") {
        notes.push(`- $${name} is not loaded: ${decision.reason}`);
        continue;
      }
      const presentation = await this.present(resolved);
      if (presentation.kind === "failed") notes.push(failureNote(name, presentation.failure));
      else if (presentation.kind === "known") notes.push(`- ${presentation.text.trimEnd()}`);
      else {
        notes.push(`- $${name} is loaded: follow it for this message. Its text is below.`);
        bodies.push(await this.#cut(presentation.text));
        loaded.push(presentation.skill);
      }
    }
    if (notes.length === 0) return undefined;
    const note = renderReminder(
      "skill.mention",
      `The user's message names skills:\n${[...new Set(notes)].join("\n")}`,
    );
    return {
      type: "reminder",
      kind: "skill.mention",
      text: [note, ...bodies].join("\n"),
      agents: [],
      ...(loaded.length === 0 ? {} : { skills: loaded }),
    };
  }

  /** A message holds as much as a tool's result does. */
  async #cut(text: string): Promise<string> {
    const output = new BoundedOutput(this.#options.outputs);
    await output.write(text);
    return (await output.finish()).text;
  }
}

function knownNote({ name, path, ref }: LoadedSkill): string {
  return `The skill ${name} (${visibleName(path)}) is loaded and unchanged: its text is in the conversation above, and whole under ref ${ref} for tool_output_read.\n`;
}

function failureNote(name: string, { message }: SkillFailure): string {
  return `- $${name} is not loaded: ${message}`;
}

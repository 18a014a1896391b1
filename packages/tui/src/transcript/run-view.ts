// A run as it is seen: what is finished is printed, what is under way is live.
import type { RunEvent } from "@codelia/protocol";
import { fitted, type Style, shownLine, wrapped } from "../screen/index.ts";
import { noticeBlock, problemBlock, promptBlock, seconds, toolBlock } from "./blocks.ts";
import { finishedLength, markdownLines } from "./markdown.ts";

export interface RunViewOptions {
  readonly print: (lines: readonly string[]) => void;
  readonly width: () => number;
  readonly style: () => Style;
  readonly clock: () => number;
}

interface RunningTool {
  readonly title: string;
  readonly start: number;
  readonly preview: string | undefined;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const spinnerMs = 100;

export class RunView {
  readonly #options: RunViewOptions;
  readonly #tools = new Map<string, RunningTool>();
  /** Calls whose change the user has just been shown. */
  readonly #asked = new Set<string>();
  /** What the model says in this turn and is not printed yet. */
  #answer = "";
  /** Calls stand close together, apart from everything else. */
  #isAfterTool = false;
  #reasoning = "";
  #start: number | undefined;
  #waiting: string | undefined;
  /** The last outputs, whole. */
  readonly outputs: { readonly title: string; readonly output: string }[] = [];

  constructor(options: RunViewOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#start = this.#options.clock();
    this.#isAfterTool = false;
  }

  /** The run has ended, however it did. */
  end(): void {
    this.#finishAnswer();
    this.#tools.clear();
    this.#start = undefined;
    this.#waiting = undefined;
  }

  asked(callId: string): void {
    this.#finishAnswer();
    this.#asked.add(callId);
  }

  take(event: RunEvent): void {
    const { print, width, style, clock } = this.#options;
    const notice = (text: string) => print(noticeBlock(text, width(), style()));
    switch (event.type) {
      case "run.started":
        for (const each of event.notices) notice(each);
        break;
      case "run.notice":
        this.#finishAnswer();
        notice(event.text);
        break;
      case "user.message":
        this.#finishAnswer();
        if (event.steering) print(promptBlock(event.text, width(), style()));
        break;
      case "turn.started":
        this.#finishAnswer();
        this.#waiting = undefined;
        break;
      case "text.delta":
        this.#reasoning = "";
        this.#answer += event.text;
        this.#printFinished();
        break;
      case "reasoning.delta":
        this.#reasoning += event.text;
        break;
      case "turn.restarted":
        this.#restart(event);
        break;
      case "permission.decided":
        this.#finishAnswer();
        if (event.decision === "deny") notice(`denied: ${event.reason}`);
        break;
      case "tool.started":
        this.#finishAnswer();
        this.#tools.set(event.call_id, { title: event.title, start: clock(), preview: event.preview });
        break;
      case "tool.finished":
        this.#finishTool(event);
        break;
      case "compaction.started":
        this.#waiting = `making room: about ${event.tokens} tokens are in the context`;
        break;
      case "compaction.finished":
        this.#waiting = undefined;
        notice(`compacted to about ${event.tokens} tokens`);
        break;
      case "compaction.failed":
        this.#waiting = undefined;
        print(problemBlock(`could not compact: ${event.reason}`, undefined, width(), style()));
        break;
      // The call that changed the list shows it.
      case "todo.changed":
      case "usage":
      case "run.finished":
        break;
    }
  }

  /** What is under way, at most so many lines; nothing is while the user is asked. */
  live(maxRows: number, isAsking: boolean): string[] {
    if (this.#start === undefined) return [];
    const { width, style, clock } = this.#options;
    const now = clock();
    const spin = style().accent(spinner[Math.floor(now / spinnerMs) % spinner.length] ?? "");
    const tools = [...this.#tools.values()].map(({ title, start }) => {
      const time = seconds(now - start);
      return `${spin} ${fitted(shownLine(title), width() - time.length - 4)}  ${style().dim(time)}`;
    });
    const working = isAsking ? [] : [this.#state(spin, now - this.#start)];
    const state = tools.length > 0 ? tools : working;
    const room = Math.max(0, maxRows - state.length - 1);
    return [...this.#openAnswer(room), ...(state.length > 0 ? ["", ...state] : [])].slice(-maxRows);
  }

  #state(spin: string, ms: number): string {
    const { width, style } = this.#options;
    const thought = shownLine(this.#reasoning.slice(-400));
    const what = this.#waiting ?? (thought === "" ? "working" : thought);
    const time = seconds(Math.floor(ms / 1000) * 1000);
    const room = width() - time.length - 6;
    // Of a thought its end is what is new.
    const lines = wrapped(what, room);
    return `${spin} ${style().dim(fitted(lines.at(-1) ?? "", room))}  ${style().dim(time)}`;
  }

  #openAnswer(maxRows: number): string[] {
    if (this.#answer.trim() === "" || maxRows === 0) return [];
    const { width, style } = this.#options;
    const lines = ["", ...markdownLines(this.#answer, width(), style())];
    return lines.length <= maxRows
      ? lines
      : [style().dim(`… ${lines.length - maxRows + 1} lines above`), ...lines.slice(1 - maxRows)];
  }

  #printFinished(): void {
    const length = finishedLength(this.#answer);
    if (length === 0) return;
    this.#printAnswer(this.#answer.slice(0, length));
    this.#answer = this.#answer.slice(length);
  }

  #finishAnswer(): void {
    this.#printAnswer(this.#answer);
    this.#answer = "";
    this.#reasoning = "";
  }

  #printAnswer(text: string): void {
    if (text.trim() === "") return;
    const { print, width, style } = this.#options;
    print(["", ...markdownLines(text, width(), style())]);
    this.#isAfterTool = false;
  }

  #finishTool(event: Extract<RunEvent, { type: "tool.finished" }>): void {
    this.#finishAnswer();
    const { print, width, style } = this.#options;
    const preview = this.#asked.has(event.call_id) ? undefined : this.#tools.get(event.call_id)?.preview;
    this.#tools.delete(event.call_id);
    const { title, output, is_error: isError, duration_ms: durationMs } = event;
    const block = toolBlock({ title, output, isError, durationMs, preview }, width(), style());
    print(this.#isAfterTool ? block : ["", ...block]);
    this.#isAfterTool = true;
    this.outputs.push({ title, output });
    if (this.outputs.length > 20) this.outputs.shift();
  }

  #restart({ reason, delay_ms, attempt }: Extract<RunEvent, { type: "turn.restarted" }>): void {
    const { print, width, style } = this.#options;
    this.#finishAnswer();
    const text = `${reason}; the answer begins anew in ${seconds(delay_ms)} (attempt ${attempt})`;
    print(noticeBlock(text, width(), style()));
  }
}

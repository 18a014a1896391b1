// Progress of a run on standard error: one line a tool call, and on a terminal the current one with its time.
import type { RunEvent } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import type { OutputStream } from "../io.ts";
import { oneLine, plural } from "./table.ts";

const clearLine = "\r\u001b[2K";
const refreshMs = 100;

export class Progress {
  readonly #stream: OutputStream;
  readonly #clock: () => number;
  readonly #indent: string;
  /** Calls under way, oldest first, with their start. */
  readonly #running = new Map<string, { title: string; start: number }>();
  /** What the model said in this turn; its last words are the answer, which is not progress. */
  #said = "";
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLive = false;

  constructor(stream: OutputStream, clock: () => number, indent = "") {
    this.#stream = stream;
    this.#clock = clock;
    this.#indent = indent;
  }

  show(event: RunEvent): void {
    switch (event.type) {
      case "run.started":
        this.#line(
          `${visibleName(event.model)} in ${visibleName(event.cwd)}, ${plural(event.instruction_files.length, "instruction file")}`,
        );
        if (event.resumed) this.#line(`session ${event.session_id} goes on`);
        for (const notice of event.notices) this.#line(visibleText(notice));
        break;
      case "run.notice":
        this.#say();
        this.#line(visibleText(event.text));
        break;
      case "user.message":
        if (event.steering) this.#line(`> ${oneLine(event.text)}`);
        break;
      case "turn.restarted":
        this.#said = "";
        this.#line(
          `  ${oneLine(event.reason)}; trying again in ${seconds(event.delay_ms)} (attempt ${event.attempt})`,
        );
        break;
      case "permission.decided":
        this.#say();
        if (event.decision === "deny") this.#line(`  denied: ${oneLine(event.reason)}`);
        break;
      case "tool.started":
        this.#running.set(event.call_id, { title: oneLine(event.title), start: this.#clock() });
        this.#animate();
        break;
      case "tool.finished":
        this.#say();
        this.#running.delete(event.call_id);
        this.#line(`${event.is_error ? "✗" : "✓"} ${oneLine(event.title)}  ${seconds(event.duration_ms)}`);
        for (const path of remindedPaths(event.output)) this.#line(`  further instructions apply: ${path}`);
        this.#animate();
        break;
      case "compaction.started":
        this.#line(`… making room: about ${event.tokens} tokens are in the context`);
        break;
      case "compaction.finished":
        this.#line(`✓ compacted to about ${event.tokens} tokens`);
        break;
      case "compaction.failed":
        this.#line(`✗ could not compact: ${oneLine(event.reason)}`);
        break;
      case "run.finished":
        this.stop();
        this.#line(summary(event));
        // Otherwise an empty output would look like a mistake of ours.
        if (event.status === "done" && event.text.trim() === "")
          this.#line("The model ended without an answer.");
        break;
      case "turn.started":
        this.#said = "";
        break;
      case "text.delta":
        this.#said += event.text;
        break;
      case "reasoning.delta":
      // The call that changed the list is a line of its own.
      case "todo.changed":
      case "usage":
        break;
    }
  }

  /** Takes the live line away; called before a question and at the end. */
  stop(): void {
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  /** Before the first step of a turn: why it is taken. */
  #say(): void {
    const text = visibleText(this.#said.trim());
    this.#said = "";
    if (text !== "") this.#line(text);
  }

  #animate(): void {
    if (!this.#stream.isTTY) return;
    if (this.#running.size === 0) this.stop();
    else this.#timer ??= setInterval(() => this.#redraw(), refreshMs);
  }

  #redraw(): void {
    const [first] = this.#running.values();
    if (first === undefined) return;
    const others = this.#running.size > 1 ? ` and ${this.#running.size - 1} more` : "";
    this.#clear();
    this.#stream.write(
      `${this.#indent}… ${first.title.slice(0, 60)}${others}  ${seconds(this.#clock() - first.start)}`,
    );
    this.#isLive = true;
  }

  #line(text: string): void {
    this.#clear();
    this.#stream.write(`${this.#indent}${text}\n`);
  }

  #clear(): void {
    if (this.#isLive) this.#stream.write(clearLine);
    this.#isLive = false;
  }
}

function summary(event: Extract<RunEvent, { type: "run.finished" }>): string {
  const { input_tokens: input, cached_input_tokens: cached, output_tokens: output } = event.usage;
  if (input + output === 0 && event.cost_usd === undefined)
    return `${plural(event.turns, "turn")}, not counted by the provider`;
  const share = input === 0 ? 0 : Math.round((cached / input) * 100);
  const cost = event.cost_usd === undefined ? "" : `, $${event.cost_usd.toFixed(4)}`;
  return `${plural(event.turns, "turn")}, ${input} tokens in (${share}% cached), ${output} out${cost}`;
}

/** The files that a reminder of ours, at the very end of an output, names. */
function remindedPaths(output: string): string[] {
  const reminder = /<system-reminder type="agents\.resolve\.paths">\n([\s\S]*?)\n<\/system-reminder>$/.exec(
    output,
  )?.[1];
  return [...(reminder ?? "").matchAll(/^- (.+) \(mtime: \d+\)$/gm)].map((match) =>
    visibleText(match[1] ?? ""),
  );
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

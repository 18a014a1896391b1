// Progress of a flow on standard error: steps with their iterations, what checks said, what was used.
import type { FlowEvent } from "@codelia/protocol";
import { visibleName, visibleText } from "@codelia/shared-types";
import type { OutputStream } from "../io.ts";
import { hostWords, usedWords } from "./flow-runs.ts";
import { Progress } from "./progress.ts";
import { indented, oneLine, plural } from "./table.ts";

const outputLines = 12;

export class FlowProgress {
  readonly #stream: OutputStream;
  readonly #clock: () => number;
  /** Of the session under way. */
  #session: { readonly id: string; readonly progress: Progress } | undefined;

  constructor(stream: OutputStream, clock: () => number) {
    this.#stream = stream;
    this.#clock = clock;
  }

  show(event: FlowEvent): void {
    if (event.type === "flow.activity") {
      this.#progressOf(event.session_id).show(event.event);
      return;
    }
    this.stop();
    switch (event.type) {
      case "flow.started":
        this.#line(
          `run ${event.run_id} of ${visibleName(event.agent)} in ${visibleName(event.cwd)}${event.resumed ? " goes on" : ""}`,
        );
        for (const notice of event.notices) this.#line(visibleText(notice));
        break;
      case "flow.work": {
        const { issue, title, branch, origin, after } = event.work;
        this.#line(`issue ${issue}: ${oneLine(title)}`);
        const from = `${visibleName(origin.branch)} (${origin.source}: ${visibleName(origin.from)})`;
        const left = after === undefined ? "" : `, as run ${visibleName(after)} left it`;
        this.#line(`  ${branch} from ${from} at ${origin.commit.slice(0, 12)}${left}`);
        break;
      }
      case "flow.host":
        if (event.state !== "begun") this.#line(`${event.state === "done" ? "✓" : "✗"} ${hostWords(event)}`);
        break;
      case "flow.notice":
        this.#line(visibleText(event.text));
        break;
      case "flow.iteration.started": {
        const visit = event.visit > 1 ? `, visit ${event.visit}` : "";
        const attempt = event.attempt > 1 ? `, attempt ${event.attempt}` : "";
        this.#line(`▸ ${visibleName(event.step)}  iteration ${event.iteration}${visit}${attempt}`);
        break;
      }
      case "flow.command.started":
        this.#line(`  check: ${oneLine(event.command.join(" "))}`);
        break;
      case "flow.iteration.finished":
        this.#finished(event);
        break;
      case "flow.transition":
        if (event.to !== event.from) this.#line(`  → ${visibleName(event.to)}`);
        break;
      case "flow.finished":
        this.#end(event);
        break;
    }
  }

  /** Takes the live line away; called before a question and at the end. */
  stop(): void {
    this.#session?.progress.stop();
  }

  #progressOf(id: string): Progress {
    if (this.#session?.id === id) return this.#session.progress;
    this.stop();
    const progress = new Progress(this.#stream, this.#clock, "  ");
    this.#session = { id, progress };
    return progress;
  }

  #finished({
    summary,
    total,
    total_cost_usd,
  }: Extract<FlowEvent, { type: "flow.iteration.finished" }>): void {
    const { step, check } = summary;
    const used = usedWords(total, total_cost_usd);
    this.#line(
      `${check.passed ? "✓" : "✗"} ${visibleName(step)}: ${oneLine(check.message)}  (so far ${used})`,
    );
    if (check.passed || check.output === undefined || check.output.trim() === "") return;
    const lines = visibleText(check.output.trimEnd()).split("\n").slice(-outputLines);
    this.#stream.write(`${indented(lines, "    ").join("\n")}\n`);
  }

  #end({ status, result }: Extract<FlowEvent, { type: "flow.finished" }>): void {
    const { iterations, usage, cost_usd, completion_reason } = result;
    const how = status === "done" ? `done: ${oneLine(completion_reason)}` : status.replace("_", " ");
    this.#line(`${how}  ${plural(iterations, "iteration")}, ${usedWords(usage, cost_usd)}`);
  }

  #line(text: string): void {
    this.#stream.write(`${text}\n`);
  }
}

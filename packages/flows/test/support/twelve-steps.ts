// A flow of twelve steps with three effects on a world that remembers them, to be killed at every write.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, type CommandRunner, ConnectionError, type SdkBridge } from "@codelia/flows";
import {
  type AgentFile,
  type CommandResult,
  CommandResultSchema,
  type QueryResult,
  QueryResultSchema,
} from "@codelia/shared-types";
import type { StepDraft } from "./definitions.ts";

const string = { type: "string" } as const;
const ids = Array.from({ length: 12 }, (_, index) => `s${index + 1}`);

/** Step s3 changes the world by a tool, s6 and s9 by a command; s2 has tools that only look. */
const tools: Readonly<Record<string, string[]>> = { s2: ["read"], s3: ["write"] };
const commandSteps = ["s6", "s9"];

export const twelveSteps: Readonly<Record<string, StepDraft>> = Object.fromEntries(
  ids.map((id, index): [string, StepDraft] => {
    const next = ids[index + 1];
    const before = ids[index - 1];
    return [
      id,
      {
        output: { word: string },
        ...(before === undefined
          ? {}
          : { inputs: { from_step: before, variables: { [`${before}.word`]: true } } }),
        tools: tools[id] ?? [],
        ...(commandSteps.includes(id) ? { check: { type: "command", command: ["apply", id] } } : {}),
        ...(id === "s11" ? { check: { type: "prompt", prompt: "judge.md" } } : {}),
        onPass: next === undefined ? { complete: true } : { next },
      },
    ];
  }),
);

export const twelvePrompts: Readonly<Record<string, string>> = {
  "judge.md": "Judge {run-response}",
  ...Object.fromEntries(
    ids.map((id, index) => [`prompts/${id}.md`, index === 0 ? "Begin." : `After {uv-s${index}_word}.`]),
  ),
};

export const twelveAgent: Omit<AgentFile, "steps"> = { recovery: { maxAttempts: 2 } };

/** Time stands still: limits are never reached, other waits take none. */
export const stillClock: Clock = {
  now: () => 0,
  wait: (ms, signal) =>
    ms < 100_000
      ? Promise.resolve()
      : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
};

/** The world outside, in files: it outlives every process, and knows what each effect did. */
export class World {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  /** What was done to it, in order. */
  get done(): string[] {
    const path = join(this.#directory, "done.txt");
    return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  }

  get bridge(): Required<SdkBridge> {
    return {
      query: async (prompt, { step, effect, tools: given, session }) => {
        // The fourth effect is the first query of s4, the sixth the first one of s5.
        if (effect === 4) throw new ConnectionError("down", { status: 503 });
        if (given?.includes("write")) this.#do(`write ${step}`);
        const isJudge = prompt.startsWith("Judge");
        const result: QueryResult = {
          text: isJudge
            ? "result: pass"
            : effect === 6
              ? "garbage"
              : `word: ${step} after "${prompt.split("\n")[0]}"`,
          session: session ?? `session-${effect}`,
          usage: { inputTokens: prompt.length, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
          costUsd: 1,
        };
        this.#keep(effect, result);
        return result;
      },
      probe: async (_, { number }) => {
        const found = this.#kept(number);
        return found === undefined
          ? { state: "not_done" }
          : { state: "done", result: QueryResultSchema.parse(found) };
      },
    };
  }

  get commands(): Required<CommandRunner> {
    return {
      run: async (command) => {
        this.#do(command.join(" "));
        return { exitCode: 0, output: `done ${command[1]}` };
      },
      probe: async ({ command }) => {
        const isDone = this.done.includes(command.join(" "));
        const result: CommandResult = { exitCode: 0, timedOut: false, output: `done ${command[1]}` };
        return isDone ? { state: "done", result: CommandResultSchema.parse(result) } : { state: "not_done" };
      },
    };
  }

  #do(what: string): void {
    appendFileSync(join(this.#directory, "done.txt"), `${what}\n`);
  }

  #keep(effect: number, result: QueryResult): void {
    writeFileSync(join(this.#directory, `${effect}.json`), JSON.stringify(result));
  }

  #kept(effect: number): unknown {
    const path = join(this.#directory, `${effect}.json`);
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  }
}

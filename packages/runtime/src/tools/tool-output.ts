// `tool_output_read` and `tool_output_search`: the whole output of an earlier call, by the ref that its result named.
import { type Tool, ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { isBlobId } from "@codelia/storage";
import { z } from "zod";
import { counted } from "./files/index.ts";
import { type KeptLine, type KeptOutputs, keptLines, maxPart } from "./kept-lines.ts";
import { Automaton, MatchReport, parsePattern } from "./search/index.ts";

// As for `read`: the notes at the end have to fit into what is shown whole.
const maxLines = 1990;
const maxBytes = 49 * 1024;
const defaultMax = 100;

const readParameters = z.strictObject({
  ref: z.string(),
  offset: z.int().min(1).optional().describe("first line, from 1"),
  limit: z.int().min(1).optional(),
});

export function createOutputReadTool(outputs: KeptOutputs): Tool<z.infer<typeof readParameters>> {
  return {
    name: "tool_output_read",
    description: "Read a part of an earlier tool output that was cut, by its ref.",
    parameters: readParameters,
    async prepare({ ref, offset = 1, limit = maxLines }) {
      return {
        title: `read output ${visibleName(ref)} from line ${offset}`,
        paths: [],
        access: { kind: "none" },
        async execute({ output, signal }) {
          const part = new LinesFrom(offset, Math.min(limit, maxLines));
          for await (const lines of await open(outputs, ref)) {
            signal.throwIfAborted();
            for (const line of lines) part.add(line);
          }
          if (part.taken === 0 && part.seen > 0) {
            throw new ToolError(`The output has only ${counted(part.seen, "line")}: use a smaller offset.`);
          }
          await output.write(`${part.text}${part.notes()}`);
        },
      };
    },
  };
}

/** As many lines as fit, with their numbers; the rest is counted. */
class LinesFrom {
  text = "";
  taken = 0;
  seen = 0;
  readonly #offset: number;
  readonly #limit: number;
  #bytes = 0;
  #isFull = false;
  #hasParts = false;

  constructor(offset: number, limit: number) {
    this.#offset = offset;
    this.#limit = limit;
  }

  add({ text, goesOn }: KeptLine): void {
    this.seen += 1;
    if (this.seen < this.#offset || this.#isFull) return;
    const line = `${String(this.seen).padStart(5)}\t${text}\n`;
    this.#bytes += Buffer.byteLength(line);
    this.#isFull = this.taken === this.#limit || this.#bytes > maxBytes;
    if (this.#isFull) return;
    this.text += line;
    this.taken += 1;
    this.#hasParts ||= goesOn;
  }

  notes(): string {
    const next = this.#offset + this.taken;
    const following = this.seen - next + 1;
    return [
      ...(this.#hasParts
        ? [`[lines over ${maxPart} characters come in parts, each counted as a line]\n`]
        : []),
      ...(following > 0
        ? [`[${counted(following, "line")} of ${this.seen} follow: go on with offset ${next}]\n`]
        : []),
    ].join("");
  }
}

const searchParameters = z.strictObject({
  ref: z.string(),
  pattern: z.string().min(1).max(4096),
  ignore_case: z.boolean().optional(),
  max: z.int().min(1).max(2000).optional(),
});

export function createOutputSearchTool(outputs: KeptOutputs): Tool<z.infer<typeof searchParameters>> {
  return {
    name: "tool_output_search",
    description: "Search an earlier tool output that was cut, line by line, with a regex as for grep.",
    parameters: searchParameters,
    async prepare({ ref, pattern, ignore_case: ignoreCase = false, max = defaultMax }) {
      const automaton = new Automaton(parsePattern(pattern, ignoreCase).node, {
        anchored: false,
        lines: true,
      });
      return {
        title: `search output ${visibleName(ref)} for ${visibleName(pattern)}`,
        paths: [],
        access: { kind: "none" },
        async execute({ output, signal }) {
          const report = new MatchReport({
            context: 0,
            max,
            output,
            nameOf: () => "output",
            maxLine: maxPart,
          });
          const search = new PartSearch((text) => automaton.matches(text));
          for await (const lines of await open(outputs, ref)) {
            signal.throwIfAborted();
            for (const line of lines) {
              for (const found of search.add(line)) report.line({ ...found, isMatch: true });
            }
          }
          await report.endFile(ref, false);
          await report.finish();
        },
      };
    },
  };
}

interface Found {
  readonly number: number;
  readonly text: string;
}

/** Finds a match in a line, in a part of one, or where two parts meet. */
class PartSearch {
  readonly #matches: (text: string) => boolean;
  #number = 0;
  /** The part before, when this one goes on with its line and it did not match itself. */
  #before: Found | undefined;

  constructor(matches: (text: string) => boolean) {
    this.#matches = matches;
  }

  add({ text, goesOn }: KeptLine): Found[] {
    this.#number += 1;
    const own = { number: this.#number, text };
    const before = this.#before;
    const isOwn = this.#matches(text);
    this.#before = goesOn && !isOwn ? own : undefined;
    if (isOwn) return [own];
    return before !== undefined && this.#matches(before.text + text) ? [before, own] : [];
  }
}

async function open(outputs: KeptOutputs, ref: string): Promise<AsyncIterable<readonly KeptLine[]>> {
  if (isBlobId(ref) && (await outputs.has(ref))) return keptLines(outputs, ref);
  throw new ToolError(
    `There is no output with ref ${visibleName(ref)}. Use a ref as a result of this session named it.`,
  );
}

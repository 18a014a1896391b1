// Recording: a connection that passes everything on and notes what came.
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { failureOf } from "../scripted/index.ts";
import { type Fingerprint, fingerprint } from "./fingerprint.ts";
import { type Entry, type Header, recordingVersion, type TimedPart } from "./format.ts";

export interface RecordingSink {
  /**
   * @input line: without its line break
   * @error a rejection ends the request, and all later ones, with a failure: a recording with a gap is worthless
   */
  append(line: string): Promise<void>;
}

export interface RecordModelOptions {
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
}

/**
 * @output  the connection, with the same id and window
 * @effects appends a header before the first request's line, and a line for each request: before its last part is
 *          passed on, or when its reader stops
 */
export function recordModel(
  connection: ModelConnection,
  sink: RecordingSink,
  { now = () => performance.now() }: RecordModelOptions = {},
): ModelConnection {
  const lines = new RecordingLines(sink, headerOf(connection));
  let requests = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    requests += 1;
    if (lines.problem !== undefined) {
      yield unwritten(lines.problem);
      return;
    }
    const started = now();
    const note = noteOf(requests, request);
    if (note === undefined) {
      yield failureOf("InvalidRequest", "the request is no JSON, so it cannot be recorded");
      return;
    }
    const parts: TimedPart[] = [];
    let written = false;
    const write = async () => {
      written = true;
      await lines.append({ ...note, parts });
    };
    try {
      for await (const part of connection.stream(request, signal)) {
        parts.push({ at: Math.max(0, Math.round(now() - started)), part });
        if (part.type !== "finish" && part.type !== "failure") {
          yield part;
          continue;
        }
        await write();
        yield lines.problem === undefined ? part : unwritten(lines.problem);
        return;
      }
    } finally {
      if (!written) await write();
    }
  }

  return { id: connection.id, contextWindow: connection.contextWindow, stream };
}

/** Appends one line after the other; after a failed append, none. */
class RecordingLines {
  /** Why the recording cannot go on. */
  problem: string | undefined;
  readonly #sink: RecordingSink;
  #last: Promise<void> | undefined;
  readonly #header: Header;

  constructor(sink: RecordingSink, header: Header) {
    this.#sink = sink;
    this.#header = header;
  }

  append(entry: Entry): Promise<void> {
    const before = this.#last ?? this.#write(this.#header);
    this.#last = before.then(() => this.#write(entry));
    return this.#last;
  }

  async #write(content: Header | Entry): Promise<void> {
    if (this.problem !== undefined) return;
    try {
      await this.#sink.append(JSON.stringify(content));
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }
}

function headerOf({ id, contextWindow }: ModelConnection): Header {
  return {
    codelia_recording: recordingVersion,
    model: id,
    ...(contextWindow === undefined ? {} : { context_window: contextWindow }),
  };
}

function noteOf(n: number, request: ModelRequest): (Fingerprint & { v: 1; n: number }) | undefined {
  try {
    return { v: recordingVersion, n, ...fingerprint(request) };
  } catch {
    return undefined;
  }
}

function unwritten(problem: string): StreamPart {
  const message = `the recording cannot be written: ${problem}; go on without it, or make room and start again`;
  return failureOf("InvalidRequest", message);
}

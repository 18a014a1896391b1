// Replay: a connection that answers the nth request as the recorded one was answered, if it is the same request.
import type { ModelConnection, ModelRequest, StreamPart } from "@codelia/shared-types";
import { abortedFailure, failureOf, pause, type Sleep } from "../scripted/index.ts";
import { difference, fingerprint } from "./fingerprint.ts";
import type { Entry } from "./format.ts";
import { type Recording, readRecording } from "./read.ts";

export interface ReplayModelOptions {
  /** All at once, or with the pauses that were recorded. */
  readonly speed: "instant" | "recorded";
  readonly sleep: Sleep;
}

export interface ReplayConnection extends ModelConnection {
  /** What the user should know about the recording: a torn last line that was left out. */
  readonly notices: readonly string[];
}

/**
 * @input   lines: of the recording, header first
 * @output  a connection with the id and window of the recorded one; every request counts, failed ones too
 * @effects waits through `sleep`, nothing else
 * @error   RecordingError: this is no recording, or a line of it is wrong
 */
export function replayModel(lines: readonly string[], options: ReplayModelOptions): ReplayConnection {
  const recording = readRecording(lines);
  const { header, tornLine } = recording;
  let requests = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    requests += 1;
    const number = requests;
    const found = recordedFor(recording, number, request);
    if (!found.ok) {
      yield signal.aborted ? abortedFailure() : failureOf("InvalidRequest", found.problem);
      return;
    }
    let time = 0;
    for (const { at, part } of found.entry.parts) {
      const wait = options.speed === "recorded" ? at - time : 0;
      time = Math.max(time, at);
      if (!(await pause(options.sleep, wait, signal))) {
        yield abortedFailure();
        return;
      }
      yield part;
      if (part.type === "finish" || part.type === "failure") return;
    }
    const problem = `request ${number} was recorded only as far as its reader listened, and ends here`;
    yield signal.aborted ? abortedFailure() : failureOf("InvalidRequest", problem);
  }

  const notices =
    tornLine === undefined ? [] : [`line ${tornLine} of the recording is cut off and was left out`];
  return { id: header.model, contextWindow: header.context_window, notices, stream };
}

type Found = { readonly ok: true; readonly entry: Entry } | { readonly ok: false; readonly problem: string };

function recordedFor({ entries }: Recording, number: number, request: ModelRequest): Found {
  const entry = entries.get(number);
  if (entry === undefined) {
    const last = Math.max(0, ...entries.keys());
    const problem =
      number > last
        ? `the recording is used up: this is request ${number}, and it ends after request ${last}`
        : `request ${number} is missing in the recording; record again`;
    return { ok: false, problem };
  }
  try {
    const differs = difference(entry, fingerprint(request));
    if (differs === undefined) return { ok: true, entry };
    return {
      ok: false,
      problem: `request ${number} differs from the recorded one: ${differs}; record again`,
    };
  } catch {
    return { ok: false, problem: `request ${number} is no JSON, so it cannot be compared` };
  }
}

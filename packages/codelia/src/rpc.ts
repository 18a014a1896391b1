// Serves the protocol on the streams of this process. Loaded by `codelia rpc` alone.
import type { Handlers } from "@codelia/protocol";
import { type ByteSink, type ByteSource, serve, streamTransport } from "@codelia/protocol/wire";
import { oneLine } from "@codelia/shared-types";

export interface ServedStreams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly version: string;
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** Less than a pipe takes that nobody reads: a client that is wrong with every message must not stop the process. */
const maxLoggedBytes = 32 * 1024;
const interrupted = 130;

/** @output the exit code: 0 when the client went, 1 when the connection had to be ended, 130 when it was interrupted */
export async function serveStreams(
  handlers: Handlers,
  { stdin, stdout, stderr, version, onInterrupt }: ServedStreams,
): Promise<number> {
  const interrupt = new AbortController();
  const stopListening = onInterrupt(() => interrupt.abort());
  stderr.on("error", () => undefined);
  const log = limitedLog(stderr);
  try {
    const failure = await serve(handlers, streamTransport(stdin, stdout), {
      version,
      log,
      signal: interrupt.signal,
    });
    if (interrupt.signal.aborted) return interrupted;
    if (failure === undefined || failure.code === "disconnected") return 0;
    log(failure.message);
    return 1;
  } finally {
    stopListening();
  }
}

function limitedLog(stderr: ByteSink): (problem: string) => void {
  const encoder = new TextEncoder();
  let left = maxLoggedBytes;
  return (problem) => {
    if (left <= 0) return;
    const line = encoder.encode(`codelia rpc: ${oneLine(problem, 500)}\n`);
    left -= line.length;
    stderr.write(line, () => undefined);
    if (left <= 0)
      stderr.write(encoder.encode("codelia rpc: further problems are not told\n"), () => undefined);
  };
}

// Serves the protocol on the streams of this process. Loaded by `codelia rpc` alone.
import type { Handlers } from "@codelia/protocol";
import { type ByteSink, type ByteSource, serve, streamTransport } from "@codelia/protocol/wire";
import { visibleText } from "@codelia/shared-types";

export interface ServedStreams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly version: string;
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** A client that is wrong with every message must not fill a disk, or the memory while nobody reads. */
const maxLogged = 100;
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
  let count = 0;
  return (problem) => {
    count += 1;
    if (count > maxLogged) return;
    const more = count === maxLogged ? " (further ones are not told)" : "";
    const line = visibleText(problem).replaceAll("\n", " ");
    stderr.write(encoder.encode(`codelia rpc: ${line}${more}\n`), () => undefined);
  };
}

// A pair of byte streams: standard input and output, a child's, a socket's.

export interface Transport {
  /** Bytes as they come; it ends when the other side has gone. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** @output when the bytes were taken, so that whoever waits is not ahead of the reader @error when nobody reads */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends both directions; `incoming` ends too. */
  close(): void;
}

/** What a stream of Node's (`process.stdin`, `child.stdout`, a socket) has of a source. */
export interface ByteSource extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
}

/** What a stream of Node's has of a sink. */
export interface ByteSink {
  write(bytes: Uint8Array, taken: (error?: Error | null) => void): unknown;
  end(): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** @input source: gives bytes, so no encoding is set on it */
export function streamTransport(source: ByteSource, sink: ByteSink): Transport {
  // The write that fails is told of it; an error without a listener would end the process.
  sink.on("error", () => undefined);
  return {
    incoming: source,
    write: (bytes) =>
      new Promise((resolve, reject) => {
        sink.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    close() {
      sink.end();
      source.destroy();
    },
  };
}

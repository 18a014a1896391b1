// How much one side takes from the other.

export interface WireLimits {
  /** Bytes of one message that is taken, its line end not counted. One image of the size that models take fits. */
  readonly maxFrameBytes: number;
  /** Bytes of a request or an answer that is sent. */
  readonly maxSentBytes: number;
  /** How deep a message is nested, and how many values it has: small text must not become a large object. */
  readonly maxDepth: number;
  readonly maxValues: number;
  /** Requests of the other side that are worked on at a time. */
  readonly maxRequests: number;
  /** Bytes that wait to be taken: from the first mark on nothing more is read and models wait, at the second it ends. */
  readonly pauseAtBytes: number;
  readonly endAtBytes: number;
  /** How long the last bytes are waited for when everything has ended. */
  readonly lingerMs: number;
}

const MiB = 1024 * 1024;

export const serverLimits: WireLimits = {
  maxFrameBytes: 32 * MiB,
  maxSentBytes: 32 * MiB,
  maxDepth: 64,
  maxValues: 1_000_000,
  maxRequests: 256,
  pauseAtBytes: MiB,
  endAtBytes: 64 * MiB,
  lingerMs: 2000,
};

/** A server's events repeat what it was sent, with something around it. */
export const clientLimits: WireLimits = { ...serverLimits, maxFrameBytes: 64 * MiB, maxValues: 4_000_000 };

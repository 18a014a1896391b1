// The file format of a recording: JSON lines, a header, then one line for each request.
// A request is kept as hashes only, so neither prompts nor images are in the file; responses are kept whole.
import { StreamPartSchema } from "@codelia/shared-types";
import { z } from "zod";

export const recordingVersion = 1;

export const HeaderSchema = z.strictObject({
  codelia_recording: z.literal(recordingVersion),
  /** The recorded connection's id and window: a replay has the same, or its requests would differ. */
  model: z.string(),
  context_window: z.number().optional(),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const EntrySchema = z.strictObject({
  v: z.literal(recordingVersion),
  /** Which request of the connection, from 1, in the order they began; lines are in the order they ended. */
  n: z.int().positive(),
  request_sha256: sha256,
  tools_sha256: sha256,
  message_count: z.int().nonnegative(),
  /** `role:hash`, cut to 16 digits: enough to tell which message differs. */
  messages: z.array(z.string().regex(/^[a-z]+:[0-9a-f]{16}$/)),
  /** Without `finish` or `failure` at the end when the reader stopped before. */
  parts: z.array(
    z.strictObject({
      /** Milliseconds after the request. */
      at: z.number().nonnegative(),
      part: StreamPartSchema,
    }),
  ),
});

export type Header = z.infer<typeof HeaderSchema>;
export type Entry = z.infer<typeof EntrySchema>;
export type TimedPart = Entry["parts"][number];

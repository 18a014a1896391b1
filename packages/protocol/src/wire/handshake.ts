// `initialize`: the first request of every connection.
import { z } from "zod";

/** Raised when a client of the old version would misunderstand the new one. Additions do not raise it. */
export const protocolVersion = 1;

const program = z.strictObject({ name: z.string(), version: z.string() });

export const initializeMethod = "initialize";

export const InitializeParamsSchema = z.strictObject({
  /** The version that the client speaks. */
  protocol_version: z.int().positive(),
  client: program,
  capabilities: z.strictObject({
    /** The questions that it can put to a person: `confirm`, `pick`, `prompt`. What it does not name is decided without one. */
    ui: z.array(z.string()),
  }),
});

export const InitializeResultSchema = z.strictObject({
  protocol_version: z.int().positive(),
  server: program,
  capabilities: z.strictObject({
    methods: z.array(z.string()),
    /** The largest message that is taken. */
    max_frame_bytes: z.number(),
    /** How many requests are worked on at a time. */
    max_requests: z.number(),
  }),
});

export type InitializeParams = z.infer<typeof InitializeParamsSchema>;
export type InitializeResult = z.infer<typeof InitializeResultSchema>;

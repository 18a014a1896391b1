// What the server sends about a request that it works on: events, and questions for the person.
import { z } from "zod";
import { ProtocolEventSchema } from "../event-schema.ts";
import { questions } from "../ui.ts";
import { IdSchema } from "./messages.ts";

export const eventMethod = "event";

export const EventParamsSchema = z.strictObject({
  /** The request that it belongs to. */
  request_id: IdSchema,
  /** Counts from 1, without gaps, for each request. */
  seq: z.int().positive(),
  event: ProtocolEventSchema,
});

/** What is known of an event whatever it says: a newer server may tell more. */
export const AnyEventParamsSchema = EventParamsSchema.extend({ event: z.unknown() });

const about = { request_id: IdSchema };

/** The questions on the wire: which request, and what. */
export const askedQuestions = {
  "ui.confirm": z.strictObject({ ...about, question: questions["ui.confirm"].question }),
  "ui.pick": z.strictObject({ ...about, question: questions["ui.pick"].question }),
  "ui.prompt": z.strictObject({ ...about, question: questions["ui.prompt"].question }),
} as const;

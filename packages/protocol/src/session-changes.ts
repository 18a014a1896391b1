// `session.diff` and `session.compact`: what a session did to files, and to its context.
import { z } from "zod";

const session = {
  cwd: z.string(),
  /** Absent: the last session of this project. */
  id: z.string().optional(),
};

export const SessionDiffParamsSchema = z.strictObject(session);

export const SessionDiffResultSchema = z.strictObject({
  id: z.string(),
  /** Files that the session's tools changed and that differ now from what they were before it. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Unified, without control characters; a long one is cut, and says so. */
      diff: z.string(),
    }),
  ),
  /** Commands that ran: what they changed is not known. */
  commands: z.array(z.string()),
  notices: z.array(z.string()),
});

export const SessionCompactParamsSchema = z.strictObject({
  ...session,
  /** Absent: the session's. */
  model: z.string().optional(),
});

export const SessionCompactResultSchema = z.strictObject({
  id: z.string(),
  /** Of the next request, estimated. */
  tokens_before: z.number(),
  tokens_after: z.number(),
});

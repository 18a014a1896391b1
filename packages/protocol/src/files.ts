// `files.search`: the project's files by parts of their path, for completion.
import { z } from "zod";

export const FilesSearchParamsSchema = z.strictObject({
  cwd: z.string(),
  /** Letters of the path in their order; empty: every file. */
  query: z.string().max(1000),
  limit: z.number().int().positive().max(1000),
});

export const FilesSearchResultSchema = z.strictObject({
  /** Relative to cwd, with slashes, the best first. Ignored and hidden files are left out. */
  files: z.array(z.string()),
  /** More fit than were asked for, or not every file was looked at. */
  truncated: z.boolean(),
});

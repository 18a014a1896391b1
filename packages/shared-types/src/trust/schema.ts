// A project that the user has trusted.
import { z } from "zod";

export const TrustedProjectSchema = z.strictObject({
  /** Real path of the repository's git directory, or of the root where there is none. */
  identity: z.string(),
  /** The root as it was when it was trusted, for people to recognise it. */
  root: z.string(),
  trustedAt: z.iso.datetime(),
});

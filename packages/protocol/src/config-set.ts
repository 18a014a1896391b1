// `config.set`: what a face may change in the user's config.json for the user.
import { TuiThemeSchema } from "@codelia/shared-types";
import { z } from "zod";

export const ConfigSetParamsSchema = z.discriminatedUnion("key", [
  z.strictObject({ key: z.literal("tui.theme"), value: TuiThemeSchema }),
  z.strictObject({ key: z.literal("tui.plain"), value: z.boolean() }),
]);

export const ConfigSetResultSchema = z.strictObject({
  /** The config file that says so. */
  file: z.string(),
  /** false: it was so already. */
  changed: z.boolean(),
});

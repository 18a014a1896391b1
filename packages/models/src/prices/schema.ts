// The shape of the table that is shipped.
import { PriceSchema } from "@codelia/shared-types";
import { z } from "zod";

export const PriceTableSchema = z.strictObject({
  source: z.string(),
  /** Provider → model → price. */
  models: z.record(z.string(), z.record(z.string(), PriceSchema)),
});

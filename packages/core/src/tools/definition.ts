// A tool as the model is told of it.
import type { ToolDefinition } from "@codelia/shared-types";
import { z } from "zod";
import type { Tool } from "./tool.ts";

/** Small on purpose: definitions are sent with every request. */
export function describeTool({ name, description, parameters }: Tool): ToolDefinition {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, {
    io: "input",
    // What every integer is anyway need not be said.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { name, description, parameters: schema };
}

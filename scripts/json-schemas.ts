// The JSON Schemas that editors and other programs use, generated from the one definition of each shape.
import { RunEventSchema } from "@codelia/protocol";
import {
  AgentFileSchema,
  AgentsConfigSchema,
  ConfigSchema,
  ResolvedAgentsSchema,
  StepsFileSchema,
  SystemReminderTypeSchema,
} from "@codelia/shared-types";
import { z } from "zod";

const schemas = {
  "config.schema.json": [ConfigSchema, "Codelia: config.json"],
  "agents-config.schema.json": [AgentsConfigSchema, "Codelia: the `agents` section of config.json"],
  "flow-agent.schema.json": [AgentFileSchema, "Codelia: the agent.json of a flow agent"],
  "flow-steps.schema.json": [StepsFileSchema, "Codelia: the steps.json of a flow agent"],
  "run-event.schema.json": [RunEventSchema, "Codelia: one line of `codelia run --json`, besides its seq"],
  "resolved-agents.schema.json": [ResolvedAgentsSchema, "Codelia: what resolveAgentsForPath returns"],
  "system-reminder-type.schema.json": [SystemReminderTypeSchema, "Codelia: the types of <system-reminder>"],
} as const;

/** File name → content. */
export function generateJsonSchemas(): Map<string, string> {
  return new Map(
    Object.entries(schemas).map(([name, [schema, title]]) => [
      name,
      `${JSON.stringify({ title, ...z.toJSONSchema(schema, { io: "input" }) }, undefined, 2)}\n`,
    ]),
  );
}

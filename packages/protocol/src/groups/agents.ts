import {
  AgentsResolveParamsSchema,
  AgentsResolveResultSchema,
  AgentsTreeParamsSchema,
  AgentsTreeResultSchema,
} from "../context.ts";

export const agentsMethods = {
  "agents.resolve": { params: AgentsResolveParamsSchema, result: AgentsResolveResultSchema },
  "agents.tree": { params: AgentsTreeParamsSchema, result: AgentsTreeResultSchema },
} as const;

export { agentNamePattern, agentsFolder, type FoundAgent, findAgent, listAgents } from "./find-agents.ts";

export { type AgentTarget, agentTargets } from "./agent-targets.ts";
export { agentNamePattern, agentsFolder, type FoundAgent, findAgent, listAgents } from "./find-agents.ts";
export { type ReadAgent, readAgent } from "./read-agent.ts";
export { agentSkeleton, scriptFile } from "./skeleton.ts";

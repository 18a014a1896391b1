export { type AgentTarget, agentTargets } from "./agent-targets.ts";
export type { SessionPlace } from "./bridge.ts";
export { type ChosenModel, FlowConnections } from "./connections.ts";
export { agentNamePattern, agentsFolder, type FoundAgent, findAgent, listAgents } from "./find-agents.ts";
export {
  canGoOn,
  type FoundRun,
  findRun,
  findRuns,
  parsedRecord,
  type RunReading,
  readRun,
  standingOfRun,
} from "./find-runs.ts";
export { newRunId, runsFolder, sessionOfEffect } from "./places.ts";
export { type ReadAgent, readAgent } from "./read-agent.ts";
export {
  type FlowSurroundings,
  loadFlow,
  type ReadyFlow,
  resumeFlow,
  startFlow,
} from "./run-flow.ts";
export { type OpenRunJournal, openRunJournal } from "./run-journal.ts";
export { agentSkeleton, scriptFile } from "./skeleton.ts";

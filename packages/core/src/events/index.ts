export type { AgentEvent, EmitEvent } from "./events.ts";

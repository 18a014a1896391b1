export { type AgentsTree, walkAgentsTree } from "./tree.ts";

export { Conversation, type ConversationItem, type CountedUsage } from "./conversation.ts";
export { type CallProgress, interruptedResult } from "./interrupted-calls.ts";
export { SessionLog } from "./session-log.ts";

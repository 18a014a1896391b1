export { Conversation, type ConversationItem, type CountedUsage } from "./conversation.ts";
export { type CallProgress, interruptedResult } from "./interrupted-calls.ts";
export { leaveOutImages, suspectedImages } from "./refused-images.ts";
export { SessionLog } from "./session-log.ts";

export { Conversation, type Prompt, type Totals } from "./conversation.ts";
export { cacheShare, costText, shortCount, statusLine } from "./status.ts";

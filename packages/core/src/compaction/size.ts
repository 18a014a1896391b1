// How many tokens something will take. An estimate: only the provider knows, and it says so afterwards.
import { Buffer } from "node:buffer";
import type { Message, ToolDefinition } from "@codelia/shared-types";

const bytesPerToken = 4;
/** Providers scale an image down to about this, whatever its bytes are. */
const imageTokens = 1600;
/** Roles, ids and separators. */
const messageTokens = 8;

export function textTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

export function messageSize(message: Message): number {
  switch (message.role) {
    case "system":
      return messageTokens + textTokens(message.text);
    case "tool":
      return messageTokens + textTokens(message.output) + imageTokens * (message.images?.length ?? 0);
    case "user":
    case "assistant": {
      let tokens = messageTokens;
      for (const part of message.content) {
        if (part.type === "image") tokens += imageTokens;
        else if (part.type === "tool_call") tokens += textTokens(part.name) + textTokens(part.arguments);
        else tokens += textTokens(part.text);
      }
      return tokens;
    }
  }
}

export function totalSize(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageSize(message), 0);
}

export function toolsSize(tools: readonly ToolDefinition[]): number {
  return textTokens(JSON.stringify(tools));
}

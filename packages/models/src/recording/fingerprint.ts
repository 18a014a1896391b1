// What a recording keeps of a request, and how two of them differ.
import { createHash } from "node:crypto";
import type { ModelRequest } from "@codelia/shared-types";
import { requestBytes, requestLines } from "../scripted/index.ts";
import type { Entry } from "./format.ts";

export type Fingerprint = Pick<Entry, "request_sha256" | "tools_sha256" | "message_count" | "messages">;

/** @error throws what JSON.stringify throws, when the request is no JSON */
export function fingerprint(request: ModelRequest): Fingerprint {
  const lines = requestLines(request);
  return {
    request_sha256: hash(requestBytes(request)),
    tools_sha256: hash(lines.tools.join("\n")),
    message_count: request.messages.length,
    messages: request.messages.map(
      ({ role }, index) => `${role}:${hash(lines.messages[index] ?? "").slice(0, 16)}`,
    ),
  };
}

/** @output the first difference in words; undefined when there is none */
export function difference(recorded: Fingerprint, now: Fingerprint): string | undefined {
  if (recorded.request_sha256 === now.request_sha256) return undefined;
  if (recorded.tools_sha256 !== now.tools_sha256) return "its tools are not the recorded ones";
  const length = Math.max(recorded.messages.length, now.messages.length);
  for (let index = 0; index < length; index += 1) {
    const [before, after] = [recorded.messages[index], now.messages[index]];
    if (before === after) continue;
    const place = `messages[${index}]`;
    if (after === undefined) return `${place} (${roleOf(before)}) is missing`;
    if (before === undefined) return `${place} (${roleOf(after)}) is not in the recording`;
    if (roleOf(before) === roleOf(after)) return `${place} (${roleOf(after)}) is not the recorded one`;
    return `${place} is of role ${roleOf(after)}, and was recorded as ${roleOf(before)}`;
  }
  return "the recorded hashes contradict each other";
}

function roleOf(message = ""): string {
  return message.slice(0, message.indexOf(":"));
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

// A line as a JSON value, or what is wrong with it.
import { ProtocolError } from "../error.ts";
import { exceedsBounds } from "./json-bounds.ts";
import type { WireLimits } from "./limits.ts";
import type { Line } from "./lines.ts";

export type Decoded = { readonly value: unknown } | { readonly fault: ProtocolError } | "blank";

export function decodeLine(line: Line, { maxFrameBytes, maxDepth, maxValues }: WireLimits): Decoded {
  if (line.kind === "too_long") {
    const fault = `a message has more than ${maxFrameBytes} bytes`;
    return { fault: new ProtocolError("too_large", fault, "Send less in one message.") };
  }
  if (isBlank(line.bytes)) return "blank";
  if (exceedsBounds(line.bytes, maxDepth, maxValues)) {
    const fault = `a message is nested deeper than ${maxDepth}, or has more than ${maxValues} values`;
    return { fault: new ProtocolError("too_large", fault) };
  }
  return parseJson(line.bytes);
}

/** Blanks, tabs and carriage returns alone are no message. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseJson(bytes: Uint8Array): Decoded {
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (cause) {
    const problem =
      cause instanceof SyntaxError ? `a message is no JSON: ${cause.message}` : "a message is no UTF-8";
    const hint = "Send one JSON object a line, in UTF-8.";
    return { fault: new ProtocolError("parse_error", problem, hint, { cause }) };
  }
}

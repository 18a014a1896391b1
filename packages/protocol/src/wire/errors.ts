// Errors on the wire: JSON-RPC's number, and in `data` the code of ours and what to do next.
import { visibleText } from "@codelia/shared-types";
import { z } from "zod";
import { ProtocolError, type ProtocolErrorCode, ProtocolErrorCodeSchema } from "../error.ts";

/** Up to -32600: JSON-RPC's own numbers. The others are ours and never change. */
export const errorNumbers: Readonly<Record<ProtocolErrorCode, number>> = {
  parse_error: -32700,
  invalid_request: -32600,
  duplicate_id: -32600,
  unknown_id: -32600,
  unknown_method: -32601,
  invalid_params: -32602,
  internal: -32603,
  too_large: -32001,
  not_initialized: -32002,
  busy: -32003,
  too_slow: -32004,
  disconnected: -32005,
  no_user: -32006,
  invalid_config: -32010,
  unreadable: -32011,
  not_found: -32012,
  untrusted: -32013,
  no_model: -32014,
  in_use: -32015,
  unsupported: -32016,
  refused: -32017,
  storage: -32018,
  unapproved: -32019,
};

export const WireErrorSchema = z.strictObject({
  code: z.number(),
  message: z.string(),
  /** Absent in answers of other programs. */
  data: z.looseObject({ code: z.string().optional(), hint: z.string().optional() }).optional(),
});

export type WireError = z.infer<typeof WireErrorSchema>;

const maxMessage = 8192;

/** @input id: of the message that this is about, where the answer itself cannot bear it */
export function wireError({ code, message, hint }: ProtocolError, id?: string | number): WireError {
  return {
    code: errorNumbers[code],
    message: cut(message),
    data: { code, ...(hint === undefined ? {} : { hint: cut(hint) }), ...(id === undefined ? {} : { id }) },
  };
}

export function protocolErrorOf({ code, message, data }: WireError): ProtocolError {
  const ours = ProtocolErrorCodeSchema.safeParse(data?.code);
  const numbered = ProtocolErrorCodeSchema.options.find((each) => errorNumbers[each] === code);
  return new ProtocolError(ours.success ? ours.data : (numbered ?? "internal"), message, data?.hint);
}

function cut(text: string): string {
  return text.length <= maxMessage ? text : `${text.slice(0, maxMessage).toWellFormed()}…`;
}

/** A text of the other side within a message of ours. */
export function quoted(text: string): string {
  return `"${visibleText(text.slice(0, 100).toWellFormed())}"`;
}

// The four messages of JSON-RPC 2.0.
import { z } from "zod";
import { describeIssues } from "../issues.ts";
import { WireErrorSchema } from "./errors.ts";

const maxIdLength = 256;

/** `null` is no id here: nobody could tell two answers apart. */
export const IdSchema = z.union([z.string().max(maxIdLength), z.int()]);

const version = { jsonrpc: z.literal("2.0") };
const call = { ...version, method: z.string(), params: z.unknown().optional() };

export const RequestSchema = z.strictObject({ ...call, id: IdSchema });
export const NotificationSchema = z.strictObject(call);
export const ResultSchema = z.strictObject({ ...version, id: IdSchema, result: z.unknown() });
/** With `id: null` it is about a message that has no id or could not be understood. It is never answered. */
export const FailureSchema = z.strictObject({ ...version, id: IdSchema.nullable(), error: WireErrorSchema });

/** Said of a request that its sender has no use for any more. It is answered nevertheless. */
export const cancelMethod = "$/cancel";
export const CancelParamsSchema = z.strictObject({ id: IdSchema });

export type Id = z.infer<typeof IdSchema>;
export type Request = z.infer<typeof RequestSchema>;
export type Notification = z.infer<typeof NotificationSchema>;
export type Message = Request | Notification | z.infer<typeof ResultSchema> | z.infer<typeof FailureSchema>;

export type ReceivedMessage =
  | { readonly kind: "request"; readonly message: Request }
  | { readonly kind: "notification"; readonly message: Notification }
  | { readonly kind: "result"; readonly message: z.infer<typeof ResultSchema> }
  | { readonly kind: "failure"; readonly message: z.infer<typeof FailureSchema> }
  | { readonly kind: "invalid"; readonly id: Id | undefined; readonly problem: string };

/** @input value: parsed JSON, whatever it is */
export function readMessage(value: unknown): ReceivedMessage {
  if (Array.isArray(value)) return { kind: "invalid", id: undefined, problem: "batches are not supported" };
  if (typeof value !== "object" || value === null) {
    return { kind: "invalid", id: undefined, problem: "a message is a JSON object" };
  }
  const id = "id" in value ? IdSchema.safeParse(value.id) : undefined;
  const invalid = (error: z.ZodError): ReceivedMessage => ({
    kind: "invalid",
    // Only a request is waited for under its id.
    id: "method" in value && id?.success ? id.data : undefined,
    problem: describeIssues(error),
  });
  if ("method" in value && "id" in value) {
    const request = RequestSchema.safeParse(value);
    return request.success ? { kind: "request", message: request.data } : invalid(request.error);
  }
  if ("method" in value) {
    const notification = NotificationSchema.safeParse(value);
    if (!notification.success) return invalid(notification.error);
    return { kind: "notification", message: notification.data };
  }
  if ("error" in value) {
    const failure = FailureSchema.safeParse(value);
    return failure.success ? { kind: "failure", message: failure.data } : invalid(failure.error);
  }
  if (!("result" in value)) {
    return { kind: "invalid", id: undefined, problem: "it has no method, no result and no error" };
  }
  const result = ResultSchema.safeParse(value);
  return result.success ? { kind: "result", message: result.data } : invalid(result.error);
}

const encoder = new TextEncoder();

/** One line. JSON writes line ends within texts as `\n`. */
export function encodeMessage(message: Message): Uint8Array {
  return encoder.encode(`${JSON.stringify(message)}\n`);
}

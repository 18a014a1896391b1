export { type ConnectOptions, connect, type WireClient } from "./client.ts";
export { errorNumbers, type WireError, WireErrorSchema } from "./errors.ts";
export { askedQuestions, EventParamsSchema, eventMethod } from "./events.ts";
export {
  type InitializeParams,
  InitializeParamsSchema,
  type InitializeResult,
  InitializeResultSchema,
  initializeMethod,
  protocolVersion,
} from "./handshake.ts";
export { clientLimits, serverLimits, type WireLimits } from "./limits.ts";
export { CancelParamsSchema, cancelMethod, type Id } from "./messages.ts";
export { type ServeOptions, serve } from "./server.ts";
export { type ByteSink, type ByteSource, streamTransport, type Transport } from "./transport.ts";

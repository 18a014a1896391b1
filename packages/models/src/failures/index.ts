export * from "./failure.ts";
export * from "./redact.ts";
export { TransportError } from "./report.ts";

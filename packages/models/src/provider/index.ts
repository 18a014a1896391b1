export { keyHeaders } from "./adapters.ts";
export * from "./connection.ts";
export { defaultTransportLimits, type Fetch, type TransportLimits } from "./guarded-fetch.ts";

export { type AcpOptions, serveAcp } from "./serve.ts";

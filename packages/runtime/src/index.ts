export type { RuntimeEnvironment, RuntimeOptions } from "./environment.ts";
export { createHandlers } from "./rpc/index.ts";

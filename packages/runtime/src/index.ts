export type { RuntimeEnvironment, RuntimeOptions } from "./environment.ts";
export * from "./library/index.ts";
export { createHandlers } from "./rpc/index.ts";

export * from "./context.ts";
export * from "./error.ts";
export * from "./in-process.ts";
export * from "./methods.ts";
export * from "./run.ts";
export * from "./settings.ts";

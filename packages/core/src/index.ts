export * from "./agents/index.ts";
export * from "./context/index.ts";
export * from "./loop/index.ts";
export * from "./outputs/index.ts";
export * from "./text/index.ts";
export * from "./tools/index.ts";

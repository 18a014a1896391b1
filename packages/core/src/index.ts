export * from "./agents/index.ts";
export * from "./text/index.ts";

export * from "./files/index.ts";
export * from "./outputs/index.ts";

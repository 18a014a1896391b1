// Connections to language models. Importing this loads no provider's package: that happens at a first request.
export * from "./prices/index.ts";
export * from "./provider/index.ts";
export * from "./registry/index.ts";
export * from "./retry/index.ts";

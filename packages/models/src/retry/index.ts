export * from "./retry.ts";

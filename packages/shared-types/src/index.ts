export * from "./agents/index.ts";
export * from "./config/index.ts";
export * from "./file-system/index.ts";
export * from "./reminders/index.ts";
export * from "./text/index.ts";
export * from "./trust/index.ts";

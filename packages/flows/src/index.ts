export * from "./configuration/index.ts";
export * from "./connection/index.ts";
export * from "./error.ts";
export * from "./execution/index.ts";
export * from "./handoff/index.ts";
export * from "./judgment/index.ts";
export * from "./worktree/index.ts";

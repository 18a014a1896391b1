export { createSandbox, type SandboxOptions } from "./create-sandbox.ts";
export { decideWithSandbox, type SandboxStanding } from "./decide.ts";
export { sandboxOptions } from "./options.ts";
export { probeSandbox } from "./probe.ts";
export { protectedPaths } from "./protected-paths.ts";
export {
  type Command,
  noSandbox,
  type Sandbox,
  SandboxError,
  type SandboxState,
  type WrappedCommand,
} from "./sandbox.ts";

export { checkSandbox, type SandboxCheck } from "./check.ts";

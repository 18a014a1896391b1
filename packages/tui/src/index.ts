export type { TerminalPort, TuiIo, TuiOptions } from "./io.ts";
export { runTui } from "./start.ts";

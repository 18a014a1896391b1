export { runCli } from "./cli.ts";
export type { CliIo, ConnectOptions, OutputStream } from "./io.ts";

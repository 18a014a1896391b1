export { runCli } from "./cli.ts";
export type { CliIo, ConnectOptions, InputStream, OutputStream } from "./io.ts";

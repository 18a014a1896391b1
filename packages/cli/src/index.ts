export { runCli } from "./cli.ts";
export type { CliIo, ConnectOptions, DrainingStream, InputStream, OutputStream } from "./io.ts";

export { runCli } from "./cli.ts";
export type {
  CliIo,
  ConnectOptions,
  DrainingStream,
  InputStream,
  OutputStream,
  TerminalUiOptions,
} from "./io.ts";

export { runCli } from "./cli.ts";
export type {
  CliIo,
  ConnectOptions,
  DrainingStream,
  EditorOptions,
  InputStream,
  OutputStream,
  TerminalUiOptions,
} from "./io.ts";

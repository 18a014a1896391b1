// What a test of one command takes nothing from.
import type { CliIo } from "@codelia/cli";

function unused(): never {
  throw new Error("this test does not use it");
}

export const unusedIo: Pick<
  CliIo,
  "serve" | "readFile" | "writeFile" | "openTerminalUi" | "serveEditor" | "pipes"
> = {
  serve: unused,
  readFile: unused,
  writeFile: unused,
  openTerminalUi: unused,
  serveEditor: unused,
  pipes: unused,
};

// What the command line takes from the outside, for tests that give it only what they are about.
import type { CliIo } from "@codelia/cli";

const notGiven = () => Promise.reject(new Error("this test does not give it"));

/** Nobody to ask, nothing to read; whatever else is not given fails. */
export function bareIo(given: Pick<CliIo, "stdout" | "stderr"> & Partial<CliIo>): CliIo {
  return {
    stdin: { isTTY: false, readAll: () => Promise.resolve(""), readLine: () => Promise.resolve(undefined) },
    version: "0.0.0",
    workingDirectory: () => "/",
    connect: notGiven,
    serve: notGiven,
    readFile: notGiven,
    writeFile: notGiven,
    onInterrupt: () => () => undefined,
    clock: () => performance.now(),
    openTerminalUi: notGiven,
    serveEditor: notGiven,
    pipes: () => {
      throw new Error("this test does not give it");
    },
    ...given,
  };
}

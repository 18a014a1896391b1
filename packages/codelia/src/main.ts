// The executable. It joins the command line to the runtime and loads neither before it is needed.
import { version } from "./version.ts";

const args = process.argv.slice(2);

if (args[0] === "--version" || args[0] === "-V") {
  process.stdout.write(`${version}\n`);
} else {
  const { start } = await import("./start.ts");
  process.exitCode = await start(args, version);
}

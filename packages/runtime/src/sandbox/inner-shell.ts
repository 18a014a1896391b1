// The shell of ours that runs inside the sandbox: sets the limits, starts the bridge, runs the command, and waits a
// moment for what the command left running, because everything inside ends with this shell.
import type { SandboxSettings } from "@codelia/shared-types";
import { limitScript } from "./limits.ts";
import { bridgeScript } from "./network/index.ts";

/**
 * A process behind `> >(…)` may still write for up to half a second after the command has ended. The shell's own words
 * ("Segmentation fault") are not the command's and go nowhere; a SIGTERM is the command's to handle.
 */
const runAndWait = `
trap : TERM INT HUP
before=(/proc/[0-9]*)
exec 3>&2 2>/dev/null
"$@" 2>&3 3>&-
code=$?
for try in {1..50}; do
  now=(/proc/[0-9]*)
  [[ \${#now[@]} -le \${#before[@]} ]] && break
  read -rt 0.01 <> <(:)
done
exit $code`;

/**
 * @input  bash, socat: absolute; no socat: no bridge
 * @output the words that stand behind bubblewrap's own arguments
 */
export function innerShell(
  bash: string,
  limits: SandboxSettings["limits"],
  socat: string | undefined,
  command: readonly string[],
): string[] {
  const script = [limitScript(limits), ...(socat === undefined ? [] : [bridgeScript()]), runAndWait].join(
    "\n",
  );
  // --norc: with a socket as its input bash takes itself for a remote shell and reads ~/.bashrc, -p or not.
  return [bash, "--norc", "-p", "-c", script, "codelia", ...(socat === undefined ? [] : [socat]), ...command];
}

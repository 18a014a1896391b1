// Whether a command can come to run a program. For deny rules: when in doubt, it can.
import type { CommandAnalysis, ProgramUse, ShellWord } from "./analysis.ts";
import { baseName } from "./findings.ts";

export type Reach = "yes" | "possible" | "no";

// Flags before a subcommand that take the next word as their value.
const valueFlags: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["git", new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"])],
]);

/**
 * @input  target: a base name, or leading words such as ["git", "push"]
 * @output `possible`: a part of the command that is computed or only data could bring it up
 */
export function canReach(analysis: CommandAnalysis, target: string | readonly string[]): Reach {
  const [program = "", ...leading] = typeof target === "string" ? [target] : target;
  const name = baseName(program);
  let best: Reach = analysis.obstacles.some(({ anyProgram }) => anyProgram) ? "possible" : "no";
  for (const use of analysis.programs) {
    const found = reachOf(use, name, leading);
    if (found === "yes") return "yes";
    if (found === "possible") best = "possible";
  }
  return best;
}

function reachOf(use: ProgramUse, name: string, leading: readonly string[]): Reach {
  // Some file systems do not tell RM from rm.
  if (use.name.toLowerCase() !== name.toLowerCase()) return "no";
  if (use.certainty === "possible" || use.name !== name) return "possible";
  return leading.length === 0 ? "yes" : leads(use.words.slice(1), leading, valueFlags.get(name));
}

/** Whether the operands start with these words, flags passed over. */
function leads(
  words: readonly ShellWord[],
  leading: readonly string[],
  values: ReadonlySet<string> | undefined,
): Reach {
  const left = [...leading];
  let guessed = false;
  for (let at = 0; at < words.length && left.length > 0; at += 1) {
    const value = words[at]?.value;
    if (value === undefined) return "possible";
    if (value === left[0]) {
      left.shift();
    } else if (value.startsWith("-")) {
      if (values?.has(value) === true) at += 1;
    } else if (values === undefined && words[at - 1]?.value?.startsWith("-") === true) {
      // The value of a flag that no table knows, or another operand.
      guessed = true;
    } else {
      return "no";
    }
  }
  if (left.length > 0) return "no";
  return guessed ? "possible" : "yes";
}

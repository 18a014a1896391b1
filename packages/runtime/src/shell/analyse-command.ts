// The way in: from the text of a command to what it would run.
import type { CommandAnalysis } from "./analysis.ts";
import { Findings } from "./findings.ts";
import { oddCharacters } from "./odd-characters.ts";
import { loadGrammar } from "./parser.ts";
import { agreesWith } from "./second-reading.ts";
import { Walk } from "./walk.ts";

/**
 * @input   command: as it would be given to `bash -c`
 * @output  what it would run as far as its text says
 * @effects loads the grammar on first use; nothing is opened or run
 * @error   none: what cannot be understood is an obstacle that can run any program
 */
export async function analyseCommand(command: string): Promise<CommandAnalysis> {
  const grammar = await loadGrammar();
  const findings = new Findings();
  for (const words of oddCharacters(command))
    findings.obstacle("odd_characters", `the command holds ${words}`);
  if (command.includes("\0")) findings.anyProgram("unparsable", "what follows a NUL is uncertain");
  if (command.trim().includes("\n")) findings.obstacle("newline", "the command has several lines");
  const walk = new Walk(grammar, findings);
  try {
    walk.text(command, { via: [], stdin: { kind: "inherit" }, depth: 0 });
  } catch (error) {
    // A defect of the grammar on a hostile text must not open a way around the rules.
    findings.mention(command.slice(0, 64 * 1024), []);
    findings.anyProgram(
      "unparsable",
      `the command is not understood: ${error instanceof Error ? error.message : "unknown"}`,
    );
  }
  const analysis = findings.analysis();
  if (analysis.obstacles.length > 0 || agreesWith(analysis.programs, command)) return analysis;
  findings.mention(command, []);
  findings.anyProgram("unparsable", "two readings of the command do not agree");
  return findings.analysis();
}

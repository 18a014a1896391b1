// An agent's definition with all that is wrong with it, as values.
import {
  ConfigurationError,
  DefinitionError,
  DefinitionFileError,
  type DefinitionProblem,
  load,
  type ValidatedDefinition,
  validate,
} from "@codelia/flows";
import type { RuntimeEnvironment } from "../environment.ts";
import { lookingTools, toolNames } from "../tools/index.ts";

/** What a flow may name. */
export const knownTools = { all: toolNames, looking: lookingTools };

export interface ReadAgent {
  /** Absent when there are errors. */
  readonly definition?: ValidatedDefinition | undefined;
  readonly errors: readonly DefinitionProblem[];
  readonly warnings: readonly DefinitionProblem[];
}

/**
 * @input  directory: of an agent
 * @output the definition, or what is wrong with it; also when a file is missing or is no JSON
 * @effects reads the agent's files
 */
export async function readAgent({ fs }: RuntimeEnvironment, directory: string): Promise<ReadAgent> {
  try {
    return validate(await load(directory, { fs }), { tools: knownTools });
  } catch (error) {
    if (error instanceof DefinitionError) return { errors: error.problems, warnings: [] };
    if (!(error instanceof ConfigurationError)) throw error;
    const { file, reason } =
      error instanceof DefinitionFileError ? error : { file: directory, reason: error.message };
    const [message = "", ...fix] = reason.split(/(?<=\.) /);
    const place = { file, pointer: "", line: 1, column: 1, code: error.code };
    const next = fix.length === 0 ? "Mend the file." : fix.join(" ");
    return { errors: [{ ...place, message: message.replace(/\.$/, ""), fix: next }], warnings: [] };
  }
}

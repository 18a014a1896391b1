// Reads a flow agent's directory: agent.json, steps.json and the prompts that they name.
import { join, resolve } from "node:path";
import { parseJson } from "@codelia/config/json-document";
import { type FileSystem, type PromptReference, PromptReferenceSchema } from "@codelia/shared-types";
import { nodeFileSystem, readTextFile } from "@codelia/storage";
import { PromptResolver } from "../connection/index.ts";
import { AgentError } from "../error.ts";
import { type AgentDefinition, type PromptSource, promptKey } from "./definition.ts";
import { deepFreeze } from "./frozen.ts";
import {
  DefinitionError,
  DefinitionFileError,
  type DefinitionProblem,
  type SourceDocument,
} from "./problem.ts";

const maxFileBytes = 1024 * 1024;

/** Of all prompts together; they are held while the definition is looked at. */
const maxPromptCharacters = 32 * 1024 * 1024;
const tooMuch = "the prompts before this one have more than 32 MiB together.";

export interface LoadOptions {
  readonly fs?: FileSystem;
}

/**
 * @input  agentPath: a directory that exists
 * @output the definition as it is written, with positions; `validate` looks at it
 * @effects none; reads only
 * @error  ConfigurationError NotFound: there is no agent.json; ParseError: a file is not valid JSON, with the places in
 *         all files; Unreadable
 */
export async function load(
  agentPath: string,
  { fs = nodeFileSystem }: LoadOptions = {},
): Promise<AgentDefinition> {
  const directory = resolve(agentPath);
  const [agent, steps] = await Promise.all([
    readDocument(fs, join(directory, "agent.json")),
    readDocument(fs, join(directory, "steps.json")),
  ]);
  if (agent === undefined) {
    const reason = "there is no such file. Name the directory of a flow agent.";
    throw new DefinitionFileError("NotFound", join(directory, "agent.json"), reason);
  }
  const problems = [agent, steps].flatMap((read) =>
    read !== undefined && "problems" in read ? read.problems : [],
  );
  if ("problems" in agent || (steps !== undefined && "problems" in steps)) {
    throw new DefinitionError("ParseError", problems);
  }
  const prompts = await readPrompts(fs, directory, agent, steps);
  return { directory, agent, steps, prompts };
}

type ReadDocument = SourceDocument | { readonly problems: readonly DefinitionProblem[] } | undefined;

async function readDocument(fs: FileSystem, file: string): Promise<ReadDocument> {
  const fail = (reason: string, cause?: unknown) =>
    new DefinitionFileError("Unreadable", file, `${reason}.`, { cause });
  const text = await readTextFile(fs, file, maxFileBytes, fail);
  if (text === undefined) return undefined;
  const parse = parseJson(text);
  if (parse.ok) {
    deepFreeze(parse.document.value);
    return { file, document: parse.document };
  }
  const fix = "Mend the file: it must be strict JSON.";
  return {
    problems: parse.problems.map((each) => ({ file, pointer: "", code: "ParseError", fix, ...each })),
  };
}

async function readPrompts(
  fs: FileSystem,
  directory: string,
  agent: SourceDocument,
  steps: SourceDocument | undefined,
): Promise<ReadonlyMap<string, PromptSource>> {
  const fallbackDir = member(agent.document.value, "fallbackDir");
  const resolver = new PromptResolver({
    directory,
    fallbackDir: typeof fallbackDir === "string" ? fallbackDir : undefined,
    fs,
  });
  const references = new Map(
    [agent, steps]
      .flatMap((source) => promptReferences(member(source?.document.value, "steps")))
      .map((reference) => [promptKey(reference), reference]),
  );
  const prompts = new Map<string, PromptSource>();
  let characters = 0;
  for (const [key, reference] of references) {
    const prompt =
      characters > maxPromptCharacters ? { problem: tooMuch } : await readPrompt(resolver, reference);
    if ("text" in prompt) characters += prompt.text.length;
    prompts.set(key, prompt);
  }
  return prompts;
}

async function readPrompt(resolver: PromptResolver, reference: PromptReference): Promise<PromptSource> {
  try {
    return await resolver.read(reference);
  } catch (error) {
    if (error instanceof AgentError) return { problem: error.message };
    throw error;
  }
}

/** What looks like a reference in what looks like steps; whether it is right is for `validate` to say. */
function promptReferences(steps: unknown): PromptReference[] {
  if (typeof steps !== "object" || steps === null) return [];
  return Object.values(steps).flatMap((step: unknown) =>
    [member(step, "prompt"), member(step, "retryPrompt"), member(member(step, "check"), "prompt")].flatMap(
      (value) => {
        const parsed = PromptReferenceSchema.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      },
    ),
  );
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

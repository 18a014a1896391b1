// A definition on its way: as it was read, and as it was found to be valid.
import type { FlowDefinition, PromptReference } from "@codelia/shared-types";
import type { PromptFile } from "../connection/index.ts";
import { deepFreeze } from "./frozen.ts";
import type { SourceDocument } from "./problem.ts";

/** A prompt's text with the variables still in it, or why there is none. */
export type PromptSource = PromptFile | { readonly problem: string };

/** What `load` returns: parsed, but not yet looked at. */
export interface AgentDefinition {
  readonly directory: string;
  readonly agent: SourceDocument;
  /** steps.json, when there is one. */
  readonly steps: SourceDocument | undefined;
  readonly prompts: ReadonlyMap<string, PromptSource>;
}

/** The name of a reference in `prompts`. */
export function promptKey(reference: PromptReference): string {
  return JSON.stringify(reference);
}

/** Only this folder makes one: from a definition without errors, or from the journal of a run that had one. */
export class ValidatedDefinition {
  // Makes the class nominal: nothing else passes for it.
  readonly #flow: FlowDefinition;

  constructor(flow: FlowDefinition) {
    this.#flow = deepFreeze(flow);
  }

  /** Frozen to its leaves. */
  get flow(): FlowDefinition {
    return this.#flow;
  }
}

// What the bench must know about an agent to run it without a person, against the fake model, offline.

export interface AgentPlace {
  /** A home directory of its own, kept for all runs of one bench so that each agent is warm. */
  readonly home: string;
  /** The fake model's address, without a slash at the end. */
  readonly server: string;
}

export interface Agent {
  readonly name: string;
  /** The package on npm; none for the agent of this repository. */
  readonly npmPackage?: string;
  /** Where its program lies in the folder it was installed into: patterns, the first that matches something. */
  readonly program: readonly string[];
  /** Whether the program is a script for Node. */
  readonly script?: boolean;
  args(prompt: string): readonly string[];
  env(place: AgentPlace): Readonly<Record<string, string>>;
  /** Its settings: path below the home directory → content. */
  files(place: AgentPlace): Readonly<Record<string, string>>;
}

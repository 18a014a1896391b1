// The one error type of configuration: all problems at once, each with its place.
export interface ConfigProblem {
  /** The file, the variable or the flag. */
  readonly name: string;
  readonly line?: number;
  readonly column?: number;
  /** Dotted, empty for the whole. */
  readonly key: string;
  readonly message: string;
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options?: ErrorOptions) {
    super(problems.map(describeProblem).join("\n"), options);
    this.problems = problems;
  }
}

export function describeProblem({ name, line, column, key, message }: ConfigProblem): string {
  const place = line === undefined ? name : `${name}:${line}:${column ?? 1}`;
  return key === "" ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}

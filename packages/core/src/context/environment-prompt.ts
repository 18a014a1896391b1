// Facts about the session's surroundings, fixed when it starts.

export interface EnvironmentFacts {
  readonly cwd: string;
  readonly root: string;
  readonly platform: string;
  readonly shell: string;
  /** ISO date of the session start. */
  readonly date: string;
}

export function renderEnvironment({ cwd, root, platform, shell, date }: EnvironmentFacts): string {
  return `<environment>
working directory: ${cwd}
project root: ${root}
platform: ${platform}
shell: ${shell}
session started: ${date}
</environment>`;
}

// What tools share: where they work, and what the model has seen.
import type { ReadVersions } from "./read-versions.ts";

export interface ToolEnvironment {
  /** The working directory: relative paths start here. Absolute, logical. */
  readonly cwd: string;
  /** The project's root. */
  readonly workspace: string;
  /** For child processes: the user's environment without keys and tokens. */
  readonly env: Readonly<Record<string, string>>;
  /** Files as the model last saw them; `edit` refuses to change anything else. */
  readonly readVersions: ReadVersions;
}

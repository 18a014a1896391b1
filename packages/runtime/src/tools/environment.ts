// What tools share: where they work, and what the model has seen.
import type { ForbiddenFiles } from "../permissions/index.ts";
import type { Sandbox } from "../sandbox/index.ts";
import type { Secret } from "../secrets/index.ts";
import type { ReadVersions } from "./read-versions.ts";

export interface ToolEnvironment {
  /** The working directory: relative paths start here. Absolute, logical. */
  readonly cwd: string;
  /** The project's root. */
  readonly workspace: string;
  /** For child processes: the user's environment without keys and tokens. */
  readonly env: Readonly<Record<string, string>>;
  /** What commands run in. */
  readonly sandbox: Sandbox;
  /** The user approved every command beforehand: none counts as one that nobody was asked about. */
  readonly approvesAll: boolean;
  /** What deny rules keep from a tool that looks through directories: it leaves that out. */
  readonly forbiddenFiles: (tool: string) => ForbiddenFiles | undefined;
  /** Known secrets: no tool's words hold one. */
  readonly secrets: readonly Secret[];
  /** Files as the model last saw them; `edit` refuses to change anything else. */
  readonly readVersions: ReadVersions;
}

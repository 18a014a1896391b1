// What the runtime takes from its surroundings, as values and effects.
import type { Tool } from "@codelia/core";
import type { Fetch } from "@codelia/models";
import type { FileSystem, SettingFlag } from "@codelia/shared-types";
import type { Disk } from "@codelia/storage";

export interface RuntimeEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly fs: FileSystem;
  readonly now: () => Date;
  readonly fetch: Fetch;
  /** Everything that is written goes through it. */
  readonly disk: Disk;
  /** Of this program. */
  readonly version: string;
  /** This program, or the Bun that runs it: it can run TypeScript tests for the demo. */
  readonly executable: string;
}

/** What the user said when starting the program. */
export interface RuntimeOptions {
  /** The later the stronger. */
  readonly settings: readonly SettingFlag[];
  /** Trust the project for this run only. */
  readonly trust: boolean;
  /** Of the program that embeds the runtime; models are told of them behind ours. */
  readonly tools?: readonly Tool[];
}

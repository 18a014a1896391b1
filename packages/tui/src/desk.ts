// What a command works with, whether the screen is redrawn or lines are only added.
import type { Client } from "@codelia/protocol";
import type { TuiTheme } from "@codelia/shared-types";
import type { Conversation } from "./conversation/index.ts";
import type { Answer, PickerItem } from "./dialogs/index.ts";
import type { Bindings } from "./input/index.ts";
import type { Style } from "./screen/index.ts";

export interface PickRequest<T> {
  readonly title: string;
  readonly load: (query: string) => Promise<readonly PickerItem<T>[]>;
  /** What choosing does, in a word or two. */
  readonly choose: string;
  /** A second thing that can be done with an item, and its name. */
  readonly alternate?:
    | { readonly name: string; readonly act: (value: T) => Promise<"stay" | "close"> }
    | undefined;
}

export interface AskRequest<T> {
  readonly title: string;
  readonly answers: readonly Answer<T>[];
  /** What it means to say nothing. */
  readonly otherwise: T;
}

export interface Desk {
  readonly cwd: string;
  readonly client: Client;
  readonly conversation: Conversation;
  readonly bindings: Bindings;
  readonly style: Style;
  readonly width: number;
  /** The last outputs of tools, whole, oldest first. */
  readonly outputs: readonly { readonly title: string; readonly output: string }[];
  print(lines: readonly string[]): void;
  /** @output undefined: nothing was chosen */
  pick<T>(request: PickRequest<T>): Promise<T | undefined>;
  ask<T>(request: AskRequest<T>): Promise<{ readonly value: T; readonly words: string }>;
  /** Puts a text where the user writes. */
  write(text: string): void;
  /** What was asked in a session that is entered, oldest first. */
  remember(prompts: readonly string[]): void;
  useTheme(theme: TuiTheme): void;
  /** Does something that takes a while and can be cancelled like a run. */
  work(task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  leave(): void;
}

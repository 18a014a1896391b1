// The rule that nobody's change is overwritten unseen: only what the model has seen, as it saw it, may be changed.
import { ToolError } from "@codelia/core";
import type { ReadVersions } from "../read-versions.ts";
import { binaryKind } from "./binary-kind.ts";
import type { Location } from "./location.ts";

/** Whether the model has seen this file at all. Looks at no file, so it tells nothing that was not permitted. */
export function isKnown(versions: ReadVersions, { real }: Location): boolean {
  return versions.compare(real, new Uint8Array()) !== "unread";
}

/** @error ToolError: read it first */
export function requireSeen(versions: ReadVersions, { real, shown }: Location, bytes: Uint8Array): void {
  const state = versions.compare(real, bytes);
  if (state === "same") return;
  if (state === "changed") {
    throw new ToolError(
      `${shown} has changed since you read it. Nothing was changed; read it again, then repeat.`,
    );
  }
  const kind = binaryKind(bytes);
  if (kind === undefined) throw unread(shown);
  throw new ToolError(
    `${shown} exists and is ${kind}. Nothing was changed; remove it with a command to replace it.`,
  );
}

export function unread(shown: string): ToolError {
  return new ToolError(`You have not read ${shown}. Nothing was changed; read it first, then repeat.`);
}

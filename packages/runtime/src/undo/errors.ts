// Why an undo did not happen, in words for the person who asked for it.
import { explainSystemError, ToolError } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import { SessionError } from "../sessions/index.ts";
import { ChangeFailure } from "../tools/index.ts";
import type { ForeignChange } from "./plan.ts";
import type { PromptChanges } from "./prompt-changes.ts";

const again = "Mend the cause and undo again.";

export function nothingLeft(id: string): SessionError {
  return new SessionError(
    "nothing_to_undo",
    `${id}: there is no prompt left to undo`,
    `See: codelia sessions show ${id}`,
  );
}

export function nothingChanged(id: string, { text, commands }: PromptChanges): SessionError {
  const unknown = commands.length === 0 ? "" : `; what its commands did is not known:${listed(commands)}`;
  return new SessionError(
    "nothing_to_undo",
    `${id}: the tools changed no files for ${shortened(text)}${unknown}`,
    "Undo again to go one prompt further back.",
  );
}

export function refused(
  id: string,
  { text, commands }: PromptChanges,
  foreign: readonly ForeignChange[],
): SessionError {
  const files = listed(foreign.map(({ path, words }) => `${visibleName(path)}: ${words}`));
  const suspects =
    commands.length === 0 ? "" : `Commands of the same prompt may have done it:${listed(commands)}\n`;
  return new SessionError(
    "undo_refused",
    `${id}: ${shortened(text)} cannot be undone, because files are not as it left them:${files}`,
    `${suspects}Nothing was changed. Put these files back to what they were after the prompt, then undo again.`,
  );
}

/** @input what changing the files failed with; what is no ChangeFailure is a defect, and stays as it is */
export function withoutChange(error: unknown): unknown {
  if (!(error instanceof ChangeFailure)) return error;
  const { location, cause, stranded } = error;
  const options = { cause: error };
  const swapped = "somebody changed it, or a directory on its way, at the same time";
  const reason = cause instanceof ToolError ? swapped : explainSystemError(cause);
  const message = `${location.shown}: cannot be put back: ${reason}`;
  if (stranded.length === 0) {
    return new SessionError("undo_failed", message, `Nothing was changed. ${again}`, options);
  }
  const places = stranded.map((file) =>
    file.keptAt === undefined
      ? file.location.shown
      : `${file.location.shown} (what it was until now is in ${visibleName(file.keptAt)})`,
  );
  return new SessionError(
    "undo_failed",
    `${message}; these were put back already, and stay so:${listed(places)}`,
    `All others were left as they are. ${again}`,
    options,
  );
}

export function notRecorded(id: string, cause: unknown): SessionError {
  return new SessionError(
    "undo_failed",
    `${id}: the files were put back, but that could not be recorded: ${explainSystemError(cause)}`,
    again,
    { cause },
  );
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `\n  ${line}`).join("");
}

const shownLength = 60;

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const short = line.length > shownLength ? `${line.slice(0, shownLength).toWellFormed()}…` : line;
  return line === "" ? "the last prompt" : `the prompt “${visibleName(short)}”`;
}

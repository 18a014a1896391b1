// The texts that a call changes, as a face is told of them.
import type { TextChange } from "@codelia/core";
import type { WireFileChange } from "@codelia/protocol";

const maxLength = 1024 * 1024;

/** @output without changes that are too long to be shown */
export function wireChanges(changes: readonly TextChange[]): WireFileChange[] {
  return changes
    .filter(({ before = "", after = "" }) => before.length + after.length <= maxLength)
    .map(({ path, before, after }) => ({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    }));
}

// A transcript as JSON: the session, every entry as the protocol has it, and what could not be read.
import { visibleJson } from "@codelia/shared-types";
import type { TranscriptWriter } from "./writer.ts";

/** Raised when a reader of the old form would misunderstand the new one. */
const exportFormat = 1;

/** @input isBegun: entries were written before */
export function transcriptJson(isBegun: boolean): TranscriptWriter {
  let isFirst = !isBegun;
  return {
    isSettled: true,
    begin: (session) => `{\n"format": ${exportFormat},\n"session": ${visibleJson(session)},\n"entries": [`,
    add(entry) {
      const separator = isFirst ? "\n" : ",\n";
      isFirst = false;
      return separator + visibleJson(entry);
    },
    end: (notices) => `\n],\n"notices": ${visibleJson(notices)}\n}\n`,
  };
}

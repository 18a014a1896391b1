export { applyChanges, type FileChange } from "./apply-changes.ts";
export { binaryKind, headBytes } from "./binary-kind.ts";
export type { PlannedChange } from "./change-step.ts";
export { ChangeFailure, changeTogether, type StrandedFile } from "./change-together.ts";
export { lendingBits } from "./draft-file.ts";
export { explained, explaining, specialKind } from "./failure.ts";
export { forbiddenBelow, leftOutByRules } from "./forbidden.ts";
export { inParallel } from "./in-parallel.ts";
export { isKnown, requireSeen, unread } from "./known-file.ts";
export { removeLeftovers, temporaryNameOf } from "./leftovers.ts";
export { LineWindow } from "./line-window.ts";
export { accessPaths, type Location, locate } from "./location.ts";
export { PinnedDirectory } from "./pinned-directory.ts";
export { counted, sizeText } from "./size-text.ts";
export {
  type FileSnapshot,
  maxWholeFile,
  readSnapshot,
  readSnapshotIfPresent,
  readUpTo,
  withRegularFile,
} from "./snapshot.ts";
export {
  countOf,
  decodeText,
  dominantEnding,
  encodeText,
  hasBom,
  isAllCrlf,
  type LineEnding,
  lineCount,
  type TextFile,
  withEnding,
} from "./text-file.ts";

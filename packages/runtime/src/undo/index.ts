export { lookAt } from "./look.ts";
export { type SessionChanges, sessionChanges } from "./session-changes.ts";
export { previewUndo, type UndoOutcome, undoLastPrompt } from "./undo-prompt.ts";

export { lookAt } from "./look.ts";
export { previewUndo, type UndoOutcome, undoLastPrompt } from "./undo-prompt.ts";

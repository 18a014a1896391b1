export { previewUndo, type UndoOutcome, undoLastPrompt } from "./undo-prompt.ts";

export { answerBlock, diffBlock, noticeBlock, problemBlock, promptBlock, seconds } from "./blocks.ts";
export { entryBlocks } from "./entries.ts";
export { RunView } from "./run-view.ts";

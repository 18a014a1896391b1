export { htmlFormat } from "./html.ts";
export { transcriptJson } from "./json.ts";
export { markdownFormat } from "./markdown.ts";
export { terminalFormat } from "./terminal.ts";
export { stepWriter, type TranscriptWriter } from "./writer.ts";

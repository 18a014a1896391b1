export type { AttachedImage } from "./attachments.ts";
export type { Completion, CompletionItem, CompletionSource } from "./completion-menu.ts";
export { Composer, type Message } from "./composer.ts";
export { TextBuffer } from "./text-buffer.ts";

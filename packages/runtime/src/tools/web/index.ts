export { htmlToText } from "./html-text.ts";
export { decodeText, isHtml, isTextual, parseContentType } from "./page-text.ts";
export { checkAddress, type FetchedPage, requestPage } from "./request.ts";

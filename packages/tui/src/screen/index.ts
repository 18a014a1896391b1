export { type LivePart, Screen } from "./screen.ts";
export { createStyle, type Paint, type Style, themeFor } from "./style.ts";
export { fitted, shownLine, shownText, visibleWidth, withMargin, wrapped } from "./text.ts";

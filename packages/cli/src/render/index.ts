export { renderConfig } from "./config.ts";
export { renderContext } from "./context.ts";
export { Progress } from "./progress.ts";
export { columns } from "./table.ts";
export { renderTree } from "./tree.ts";

export { type ListedEntry, type Listing, listTree } from "./list-tree.ts";
export { renderTree } from "./render-tree.ts";

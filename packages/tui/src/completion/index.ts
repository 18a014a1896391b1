export { createCompletion } from "./sources.ts";

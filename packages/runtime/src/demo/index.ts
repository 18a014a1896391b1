export { prepareDemo } from "./demo.ts";

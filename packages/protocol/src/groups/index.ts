export { type MethodSchemas, schemasOf } from "./schemas-of.ts";
export { methods } from "./table.ts";

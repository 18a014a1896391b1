export { Bindings } from "./bindings.ts";
export { InputDecoder, type Press } from "./decoder.ts";
export { enterModes, leaveModes } from "./modes.ts";

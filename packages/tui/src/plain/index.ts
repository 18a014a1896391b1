export { PlainDesk } from "./plain-desk.ts";

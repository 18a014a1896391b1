export { collectResponse, type Response } from "./response.ts";
export { addedUsage, noUsage } from "./usage.ts";

export { checkHealth } from "./check-health.ts";

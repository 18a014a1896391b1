export { basePrompt } from "./base-prompt.ts";
export { type EnvironmentFacts, renderEnvironment } from "./environment-prompt.ts";
export { type PrefixMessage, sessionPrefix } from "./session-prefix.ts";

export { abortedFailure, failureOf } from "./failure.ts";
export { createScriptedModel, type ScriptedModelOptions } from "./model.ts";
export { parseScript, type ScriptParse, type ScriptProblem } from "./parse.ts";
export { pause, type Sleep } from "./pause.ts";
export { type CacheRules, providerCacheRules } from "./prompt-cache.ts";
export { commonPrefixLength, requestBytes, requestLines } from "./request-bytes.ts";
export { type Script, type ScriptExpectation, ScriptSchema, type ScriptTurn } from "./schema.ts";

export { type BuiltInProvider, builtInProviders } from "./built-in.ts";
export { checkProviders, type ProviderAnswer, type ProviderCheck } from "./check.ts";
export * from "./list.ts";
export { discoverLocal, type LocalServer, type ProbeOptions } from "./local.ts";
export {
  isModelChoiceFailure,
  type ModelChoiceFailure,
  type OpenModelOptions,
  openModel,
} from "./open.ts";
export type { Environment, RegistryOptions } from "./resolve.ts";

export { childEnvironment } from "./child-environment.ts";
export {
  isSecretName,
  knownSecrets,
  type Secret,
  type SecretSettings,
  secretVariables,
} from "./known-secrets.ts";
export { redactedTool, withoutSecrets } from "./redacted-tool.ts";
export { createRedactor, type Redactor, redactText } from "./redactor.ts";

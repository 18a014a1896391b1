export {
  type InputReference,
  inputReferences,
  parseInputName,
  uvName,
  type WhenMissing,
  whenMissing,
} from "./input-variables.ts";
export { type ExtractResult, OutputExtractor } from "./output-extractor.ts";
export { isPlainObject, outputFields, typeName } from "./output-fields.ts";
export { type OutputValidation, OutputValidator, type OutputValidatorOptions } from "./output-validator.ts";
export { StepContext } from "./step-context.ts";
export {
  judgeVariables,
  runVariables,
  substitute,
  type TemplateVariable,
  templateVariables,
} from "./template.ts";

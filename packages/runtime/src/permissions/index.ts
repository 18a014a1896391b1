export { Approval, type ApprovalOptions } from "./approval.ts";
export { type CallToEvaluate, type EvaluationOptions, evaluate, type Verdict } from "./evaluate.ts";
export type { ForbiddenFiles } from "./forbidden-files.ts";
export type { PathBases } from "./path-glob.ts";
export { type PlacedRule, placeRule } from "./placed-rule.ts";
export { checkRulesIn, pathBases, projectApproval, realOr } from "./project-approval.ts";
export { safeExamples } from "./safe-examples.ts";
export { wireChanges } from "./wire-changes.ts";

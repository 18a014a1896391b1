export { addAllowRules, placeOfRule, type RuleStoreOptions } from "./add-rules.ts";

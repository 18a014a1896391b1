export { type Searchable, SkillSearcher } from "./search.ts";
export { normalised, wordsOf } from "./words.ts";

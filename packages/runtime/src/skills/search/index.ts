export { type Searchable, SkillSearcher } from "./search.ts";

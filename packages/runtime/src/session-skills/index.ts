export { carriedSkills } from "./carried-skills.ts";
export { type InitialSkills, type SessionSkillOptions, SessionSkills } from "./session-skills.ts";

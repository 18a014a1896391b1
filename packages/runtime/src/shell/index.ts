// The shell room: what the text of a bash command says that it would run. Nothing is executed or opened here, and it
// is no boundary: the sandbox is. It saves questions about harmless commands and makes deny rules hard to walk around.

export { analyseCommand } from "./analyse-command.ts";
export type {
  CommandAnalysis,
  Obstacle,
  ObstacleKind,
  ProgramUse,
  RedirectionUse,
  ShellWord,
} from "./analysis.ts";
export { canReach, type Reach } from "./reach.ts";
export { renderAnalysis } from "./render.ts";
export { type Safety, safetyOf, safetyOfCommand } from "./safety.ts";

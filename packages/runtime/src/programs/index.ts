export { createClosedGit } from "./closed-git.ts";
export {
  executableOutside,
  findOnPath,
  findProgram,
  foldersOutside,
  type ProgramPlaces,
  pathFolders,
} from "./find-program.ts";
export { closedDiffFlags, closedGitEnvironment, commandGitEnvironment } from "./git-environment.ts";
export { unaskedGitEnvironment, withUnaskedGit } from "./unasked-git.ts";

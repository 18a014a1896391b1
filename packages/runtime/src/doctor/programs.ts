// The programs of others that Codelia starts.
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import { findProgram } from "../programs/index.ts";
import type { Project } from "../project/index.ts";
import { createRipgrepLocator } from "../tools/index.ts";
import { type DoctorFinding, fine, warning } from "./finding.ts";

export async function checkPrograms(
  { env }: RuntimeEnvironment,
  { root }: Project,
): Promise<DoctorFinding[]> {
  const workspace = root.path;
  const [ripgrep, git, bash] = await Promise.all([
    createRipgrepLocator({ workspace, env })(),
    findProgram("git", { workspace, path: env.PATH }),
    // Commands run by the system's bash only, never by one of the PATH.
    findProgram("bash", { workspace, path: undefined }),
  ]);
  return [
    ripgrep === undefined
      ? warning(
          "ripgrep",
          "there is no ripgrep 13 or newer: grep and glob find the same, but slower",
          `Install it. ${packages("ripgrep")}`,
        )
      : fine("ripgrep", visibleName(ripgrep)),
    git === undefined
      ? warning(
          "git",
          "git is not installed: agents cannot look at history or commit",
          `Install it. ${packages("git")}`,
        )
      : fine("git", visibleName(git)),
    bash === undefined
      ? warning(
          "bash",
          "bash is not installed: commands run with sh, and what a repository's git config names is not closed off",
          `Install it. ${packages("bash")}`,
        )
      : fine("bash", visibleName(bash)),
  ];
}

function packages(name: string): string {
  return `Debian, Ubuntu: apt-get install ${name}. Fedora: dnf install ${name}. macOS: brew install ${name}.`;
}

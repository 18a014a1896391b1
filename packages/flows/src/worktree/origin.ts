// The branch that work on an issue derives from: who named it, and what it stands for now.
import type { BranchField, OriginBranch, OriginSource } from "@codelia/shared-types";
import { visibleName } from "@codelia/shared-types";
import { ConfigurationError } from "../error.ts";
import type { Git } from "./git.ts";
import type { Repository } from "./repository.ts";

/** Where a branch could be named, strongest first. Each is asked only when those before it say nothing. */
export type OriginCandidates = readonly {
  readonly source: OriginSource;
  readonly read: () => Promise<BranchField | undefined>;
}[];

const wheres: Readonly<Record<OriginSource, string>> = {
  explicit: "--origin",
  issue_field: "the issue's base_branch",
  project_field: "the project's Target Branch",
  config: "the setting issues.originBranch",
};

/**
 * @input  candidates in the order of their strength; a blank value counts as none
 * @output the branch with who named it, and its commit
 * @effects asks the candidates in order, up to the first that names a branch
 * @error  ConfigurationError OriginUnset when none does; OriginNotFound when the branch that was named is not there,
 *         without trying the next
 */
export async function resolveOrigin(
  candidates: OriginCandidates,
  git: Git,
  { root }: Repository,
  remote: string,
): Promise<OriginBranch> {
  for (const { source, read } of candidates) {
    const field = await read();
    const branch = field?.branch.trim() ?? "";
    if (field !== undefined && branch !== "") {
      return { ...(await existing({ branch, from: field.from }, source, { git, root, remote })), source };
    }
  }
  const places = candidates.map(({ source }) => wheres[source]).join(", ");
  throw new ConfigurationError(
    "OriginUnset",
    `Nothing says which branch to derive from, and none is assumed. Give one of: ${places}.`,
  );
}

interface Place {
  readonly git: Git;
  readonly root: string;
  readonly remote: string;
}

async function existing(
  { branch: written, from }: BranchField,
  source: OriginSource,
  { git, root, remote }: Place,
): Promise<Omit<OriginBranch, "source">> {
  // `origin/main` is what people read in git's own output; the branch is called main.
  const names = [written, ...(written.startsWith(`${remote}/`) ? [written.slice(remote.length + 1)] : [])];
  for (const branch of names) {
    const { exitCode } = await git.try(["check-ref-format", `refs/heads/${branch}`], { cwd: root });
    if (exitCode !== 0) continue;
    for (const ref of [`refs/heads/${branch}`, `refs/remotes/${remote}/${branch}`]) {
      const commit = await git.commitOf(ref, root);
      if (commit !== undefined) return { branch, from, ref, commit };
    }
  }
  throw new ConfigurationError(
    "OriginNotFound",
    `There is no branch ${visibleName(JSON.stringify(written))}, which ${wheres[source]} names (${visibleName(from)}). It is neither here nor on ${visibleName(remote)} as last fetched. Correct it, or run git fetch ${visibleName(remote)}.`,
  );
}

// The approval of a project's calls: its rules, its real places, and the file in which a rule is remembered.
import { join } from "node:path";
import { addAllowRules, type RuleEntry } from "@codelia/config";
import type { FileSystem } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { Approval, type ApprovalOptions } from "./approval.ts";
import { checkRules } from "./check-rules.ts";
import type { PathBases } from "./path-glob.ts";

export type ProjectApprovalOptions = Pick<
  ApprovalOptions,
  "mode" | "confirm" | "tellsChanges" | "outputs" | "allowedCalls" | "notify"
>;

export async function projectApproval(
  environment: RuntimeEnvironment,
  project: Project,
  options: ProjectApprovalOptions,
): Promise<Approval> {
  const { fs, disk } = environment;
  const bases = await pathBases(environment, project.root.path);
  const file = rememberingFile(project);
  return new Approval({
    ...options,
    fs,
    bases,
    workspace: await realOr(fs, project.root.path),
    rules: project.settings.rules,
    remember: (rules) => addAllowRules({ fs, disk, file }, rules),
  });
}

/** The user's file that is in use, else the one in Codelia's home. */
export function rememberingFile({ configFiles, codeliaHome }: Project): string {
  const used = configFiles.find(({ layer, state }) => layer === "user" && state === "read");
  return used?.path ?? join(codeliaHome, "config.json");
}

/** @error ConfigError with every rule that cannot hold, or does not hold what its examples say */
export async function checkRulesIn(
  environment: Pick<RuntimeEnvironment, "fs" | "userHome">,
  root: string,
  rules: readonly RuleEntry[],
): Promise<void> {
  await checkRules(rules, await pathBases(environment, root));
}

export async function pathBases(
  { fs, userHome }: Pick<RuntimeEnvironment, "fs" | "userHome">,
  root: string,
): Promise<PathBases> {
  return { root: [root, await realOr(fs, root)], home: [userHome, await realOr(fs, userHome)] };
}

export async function realOr(fs: FileSystem, path: string): Promise<string> {
  return (await fs.realPath(path).catch(() => undefined)) ?? path;
}

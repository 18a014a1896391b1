// The instructions of a project: the bundle of a session start, and the resolver that goes on from it.
import {
  type AgentsResolver,
  createAgentsResolver,
  foldAgentsRecords,
  type InitialAgents,
  loadInitialAgents,
} from "@codelia/core";
import type { RuntimeEnvironment } from "../environment.ts";
import { type Project, trustOf } from "./project.ts";

export interface ProjectInstructions {
  readonly initial: InitialAgents;
  readonly resolver: AgentsResolver;
}

/** @error AgentsError when instructions are there and cannot be read */
export async function loadInstructions(
  environment: RuntimeEnvironment,
  project: Project,
): Promise<ProjectInstructions> {
  const { fs, userHome } = environment;
  const { cwd, root, codeliaHome, trust } = project;
  const settings = project.settings.values.agents;
  const trusted = trust.state !== "untrusted";
  const initial = await loadInitialAgents({ fs, cwd, root, settings, codeliaHome, trusted });
  const resolver = createAgentsResolver({
    fs,
    settings,
    userHome,
    codeliaHome,
    state: foldAgentsRecords([initial.record]),
    // `--trust` is about the project one stands in, not about others that a path leads to.
    isTrusted: async (other) =>
      other === root.path
        ? trusted
        : (await trustOf(environment, { trust: false }, other)).state !== "untrusted",
  });
  return { initial, resolver };
}

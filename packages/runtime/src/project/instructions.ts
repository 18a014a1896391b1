// The instructions of a project: the bundle of a session start, and the resolver that goes on from it.
import {
  type AgentsResolver,
  type AgentsState,
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
  const { cwd, root, codeliaHome, trust } = project;
  const settings = project.settings.values.agents;
  const trusted = trust.state !== "untrusted";
  const initial = await loadInitialAgents({ fs: environment.fs, cwd, root, settings, codeliaHome, trusted });
  return { initial, resolver: createResolver(environment, project, foldAgentsRecords([initial.record])) };
}

/** @input state: what the model has been told so far */
export function createResolver(
  environment: RuntimeEnvironment,
  project: Project,
  state: AgentsState,
): AgentsResolver {
  return createAgentsResolver({
    fs: environment.fs,
    settings: project.settings.values.agents,
    userHome: environment.userHome,
    codeliaHome: project.codeliaHome,
    state,
    isTrusted: isTrustedIn(environment, project),
  });
}

/** `--trust` is about the project one stands in, not about others that a path leads to. */
export function isTrustedIn(
  environment: RuntimeEnvironment,
  { root, trust }: Project,
): (root: string) => Promise<boolean> {
  return async (other) => {
    const { state } = other === root.path ? trust : await trustOf(environment, { trust: false }, other);
    return state !== "untrusted";
  };
}

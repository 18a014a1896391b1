// `flow.agents`, `flow.validate`, `flow.migrate`: which agents there are, and what is wrong with them.
import { join } from "node:path";
import { migrateText } from "@codelia/flows";
import { type Params, ProtocolError, type Result, type WireFlowProblem } from "@codelia/protocol";
import { readSmallFile, writeFileAtomic } from "@codelia/storage";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { type AgentTarget, agentTargets, listAgents, readAgent } from "../flows/index.ts";
import { openProject, projectNotices, requireTrust } from "../project/index.ts";
import { wireFlowProblem } from "./flow-definition-wire.ts";

/** In a project without trust, names alone. */
export async function listFlowAgents(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"flow.agents">,
): Promise<Result<"flow.agents">> {
  const project = await openProject(environment, options, cwd);
  const agents: Result<"flow.agents">["agents"] = [];
  for (const { name, directory } of await listAgents(environment, project)) {
    if (project.trust.state === "untrusted") {
      agents.push({ name, directory, state: "untrusted", error_count: 0, warning_count: 0 });
      continue;
    }
    const { definition, errors, warnings } = await readAgent(environment, directory);
    agents.push({
      name,
      directory,
      state: definition === undefined ? "invalid" : "valid",
      ...(definition === undefined ? {} : summary(definition.flow)),
      error_count: errors.length,
      warning_count: warnings.length,
    });
  }
  return { root: project.root.path, agents, notices: projectNotices(project) };
}

function summary({
  description,
  version,
  steps,
  parameters = {},
}: NonNullable<Awaited<ReturnType<typeof readAgent>>["definition"]>["flow"]): Pick<
  Result<"flow.agents">["agents"][number],
  "description" | "version" | "steps" | "parameters"
> {
  return {
    ...(description === undefined ? {} : { description }),
    version,
    steps: Object.keys(steps).length,
    parameters: Object.entries(parameters).map(([name, parameter]) => ({
      name,
      ...(parameter.description === undefined ? {} : { description: parameter.description }),
      required: parameter.required ?? parameter.default === undefined,
      ...(parameter.default === undefined ? {} : { default: parameter.default }),
    })),
  };
}

/** Only reads, and shows what it read to the one who asked: so no project has to be trusted for it. */
export async function validateFlowAgents(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, targets }: Params<"flow.validate">,
): Promise<Result<"flow.validate">> {
  const agents: Result<"flow.validate">["agents"] = [];
  for (const target of await agentTargets(environment, options, cwd, targets)) {
    const { name, directory } = target;
    agents.push({ name, directory, problems: await problemsOf(environment, target) });
  }
  const problems = agents.flatMap((agent) => agent.problems);
  return {
    agents,
    error_count: problems.filter(({ severity }) => severity === "error").length,
    warning_count: problems.filter(({ severity }) => severity === "warning").length,
  };
}

async function problemsOf(
  environment: RuntimeEnvironment,
  { directory, problem }: AgentTarget,
): Promise<WireFlowProblem[]> {
  if (problem !== undefined) return [{ severity: "error", file: directory, pointer: "", ...problem }];
  const { errors, warnings } = await readAgent(environment, directory);
  return [
    ...errors.map((each) => wireFlowProblem(each, "error")),
    ...warnings.map((each) => wireFlowProblem(each, "warning")),
  ];
}

const files = { agent: "agent.json", steps: "steps.json" } as const;
const maxFileBytes = 1024 * 1024;

/**
 * @effects rewrites files in which something is deprecated, unless `dry_run`; each is replaced as a whole
 * @error  ProtocolError untrusted, not_found; DefinitionError; nothing was written then
 */
export async function migrateFlowAgents(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, targets, dry_run }: Params<"flow.migrate">,
): Promise<Result<"flow.migrate">> {
  const project = await openProject(environment, options, cwd);
  requireTrust(project.trust, project.root.path);
  const agents: Result<"flow.migrate">["agents"] = [];
  const changed: { readonly path: string; readonly text: string }[] = [];
  for (const { name, directory, problem } of await agentTargets(environment, options, cwd, targets)) {
    if (problem !== undefined)
      throw new ProtocolError("not_found", `${directory}: ${problem.message}`, problem.fix);
    const migrated: Result<"flow.migrate">["agents"][number]["files"] = [];
    for (const file of ["agent", "steps"] as const) {
      const path = join(directory, files[file]);
      const read = await readSmallFile(environment.fs, path, maxFileBytes);
      if (read.outcome === "absent") continue;
      if (read.outcome !== "text") throw new ProtocolError("unreadable", `${path}: expected a small file`);
      const { text, changes } = migrateText(file, path, read.text);
      if (changes.length === 0) continue;
      migrated.push({ path, changes: changes.map((change) => wireFlowProblem(change, "warning")) });
      changed.push({ path, text });
    }
    agents.push({ name, directory, files: migrated });
  }
  if (!dry_run) for (const { path, text } of changed) await writeFileAtomic(path, text, environment.disk);
  return { agents, written: !dry_run && changed.length > 0 };
}

// The settings and the trust of a project. A config file that is wrong must not hide what else is.
import {
  ConfigError,
  codeliaHome,
  describeProblem,
  type EffectiveSettings,
  environmentLayer,
  flagLayer,
  mergeLayers,
} from "@codelia/config";
import { findAgentsRoot } from "@codelia/core";
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { openProject, type Project, readUserSettings, trustOf } from "../project/index.ts";
import { type DoctorFinding, fine, problem, warning } from "./finding.ts";

export interface LookedAt {
  readonly project: Project;
  readonly findings: DoctorFinding[];
}

/**
 * @output the project; with settings that are wrong it has the user's alone, or the defaults
 * @error  AgentsError when the directory is not there
 */
export async function openDespiteFaults(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  directory: string,
): Promise<LookedAt> {
  try {
    const project = await openProject(environment, options, directory);
    return { project, findings: fileFindings(project) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const project = await withoutProjectSettings(environment, options, directory);
    return { project, findings: error.problems.map(asFinding) };
  }
}

function asFinding(found: ConfigError["problems"][number]): DoctorFinding {
  const place = found.line === undefined ? "" : `, line ${found.line}, column ${found.column ?? 1}`;
  return problem(
    "config",
    describeProblem(found),
    `Correct ${visibleName(found.name)}${place}; docs/settings.md lists what can be set. No run starts before.`,
  );
}

function fileFindings({ configFiles, settings }: Project): DoctorFinding[] {
  const read = configFiles.filter(({ state }) => state === "read").map(({ path }) => visibleName(path));
  const unused = configFiles.filter(({ state }) => state === "unused");
  return [
    fine("config", read.length === 0 ? "no config file, all defaults" : `valid: ${read.join(", ")}`),
    ...unused.map(({ path }) =>
      warning(
        "config",
        `${visibleName(path)} is not used: the XDG config file goes before it`,
        "Move its settings there, or remove one of the two.",
      ),
    ),
    ...settings.refused.map(({ key, source }) =>
      warning(
        "config",
        `${visibleName(source.name ?? source.layer)}: ${key} is not used: a project may not set it`,
        `Take it out, or set ${key} in your own config.json.`,
      ),
    ),
  ];
}

async function withoutProjectSettings(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
): Promise<Project> {
  const settings = await usableSettings(environment, options);
  const { fs, userHome } = environment;
  const home = codeliaHome(environment);
  const rootSettings = settings.values.agents.root;
  const root = await findAgentsRoot({ fs, cwd, settings: rootSettings, userHome, codeliaHome: home });
  const trust = await trustOf(environment, options, root.path);
  return { cwd, root, trust, settings, configFiles: [], codeliaHome: home };
}

/** As many layers as can be read. */
async function usableSettings(
  environment: RuntimeEnvironment,
  { settings }: RuntimeOptions,
): Promise<EffectiveSettings> {
  const attempts = [
    () => readUserSettings(environment, { settings }),
    () => mergeLayers([environmentLayer(environment.env), flagLayer(settings)]),
  ];
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  }
  return mergeLayers([]);
}

export function checkTrust({ trust, root }: Project): DoctorFinding {
  const place = visibleName(root.path);
  if (trust.state === "untrusted") {
    return problem(
      "trust",
      `${place} is not trusted: nothing of it is used, and no run starts in it`,
      `Look at what it holds (codelia context --trust), then: codelia trust ${place}`,
    );
  }
  return fine("trust", `${place} is trusted${trust.state === "trusted" ? "" : " for this run"}`);
}

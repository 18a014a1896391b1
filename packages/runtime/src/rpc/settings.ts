// `config.inspect` and `trust.*`.
import { dirname, resolve } from "node:path";
import { codeliaHome, openTrustStore, type TrustStore } from "@codelia/config";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { FileStat } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { locateProject, openProject, projectNotices } from "../project/index.ts";
import { wireSetting, wireTrustedProject } from "./wire.ts";

export async function inspectConfig(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"config.inspect">,
): Promise<Result<"config.inspect">> {
  const project = await openProject(environment, options, cwd);
  return {
    files: [...project.configFiles],
    settings: project.settings.entries.map(wireSetting),
    refused: project.settings.refused.map(wireSetting),
    notices: projectNotices(project),
  };
}

/** Trusts the project that holds the path. */
export async function addTrust(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { path }: Params<"trust.add">,
): Promise<Result<"trust.add">> {
  const target = resolve(path);
  const stat = await environment.fs.stat(target);
  if (stat === undefined) {
    throw new ProtocolError(
      "not_found",
      `${target}: there is no such file or directory`,
      "Name a path inside the project to trust.",
    );
  }
  const root = await rootHolding(environment, options, target, stat);
  return { project: wireTrustedProject(await store(environment).add(root)) };
}

/** Takes trust back from the project that holds the path, or from a listed one that is gone. */
export async function removeTrust(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { path }: Params<"trust.remove">,
): Promise<Result<"trust.remove">> {
  const target = resolve(path);
  const stat = await environment.fs.stat(target);
  const root = stat === undefined ? target : await rootHolding(environment, options, target, stat);
  const removed = (await store(environment).remove(target)) ?? (await store(environment).remove(root));
  return { path: target, ...(removed === undefined ? {} : { project: wireTrustedProject(removed) }) };
}

export async function listTrust(environment: RuntimeEnvironment): Promise<Result<"trust.list">> {
  return { projects: (await store(environment).list()).map(wireTrustedProject) };
}

/** The root of the project that a file or directory is in. */
async function rootHolding(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  target: string,
  { kind }: FileStat,
): Promise<string> {
  const directory = kind === "directory" ? target : dirname(target);
  return (await locateProject(environment, options, directory)).root.path;
}

function store(environment: RuntimeEnvironment): TrustStore {
  const { fs, now } = environment;
  return openTrustStore({ fs, now, codeliaHome: codeliaHome(environment) });
}

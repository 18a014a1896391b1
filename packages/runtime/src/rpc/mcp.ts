// `mcp.*`: the servers that there are, what was approved of each, and a look at one for real.
import { join } from "node:path";
import { editConfigFile, editUserConfig } from "@codelia/config";
import { type Channel, type McpServerWire, type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { McpApproval } from "@codelia/shared-types";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import {
  approveNow,
  type ConfiguredServer,
  clientOwner,
  configuredSecrets,
  configuredServers,
  describeGrants,
  describeLaunch,
  faultOf,
  inspectServer,
  isEnabled,
  isHttp,
  isStdio,
  launchHash,
  logIn,
  McpError,
  offeredName,
  openApprovals,
  openLogin,
  type SettingsServer,
} from "../mcp/index.ts";
import { openProject, type Project, projectNotices } from "../project/index.ts";
import { knownSecrets, redactText } from "../secrets/index.ts";

/** A server's failure, as a face knows it, without what the server was given. */
async function named<T>({ env }: RuntimeEnvironment, project: Project, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    const code = error.code === "unapproved" || error.code === "login" ? "unapproved" : "refused";
    const secrets = [...configuredSecrets(project, env), ...knownSecrets(env, project.settings.values)];
    throw new ProtocolError(code, redactText(secrets, error.message), error.hint);
  }
}

interface Found {
  readonly project: Project;
  readonly server: SettingsServer;
}

export async function listServers(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd }: Params<"mcp.list">,
): Promise<Result<"mcp.list">> {
  const project = await openProject(environment, options, cwd);
  const servers = await Promise.all(
    configuredServers(project).map((server) => wireServer(environment, { project, server })),
  );
  return { servers, notices: projectNotices(project) };
}

/** @effects writes the server into the user's config.json or the project's; nothing is started */
export async function addServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, scope, server }: Params<"mcp.add">,
): Promise<Result<"mcp.add">> {
  const project = await openProject(environment, options, cwd);
  const there = configuredServers(project).find((each) => each.name === name);
  if (there !== undefined && there.scope !== scope) {
    throw new ProtocolError(
      "refused",
      `${name}: there is a server of this name already, of the ${there.scope}`,
      "Choose another name.",
    );
  }
  const fault = faultOf(server, scope === "project");
  if (fault !== undefined) throw new ProtocolError("invalid_params", `${name}: ${fault}`);
  const edit = { action: "set" as const, key: ["mcp", "servers", name], value: server };
  const { file, changed } =
    scope === "user"
      ? await editUserConfig(environment, [edit])
      : await editConfigFile(environment, projectFile(project), [edit]);
  const replaced = changed && there !== undefined;
  return { name, file, changed, replaced, notices: projectNotices(project) };
}

/** @effects takes it out of the file; what was approved and its login go with it */
export async function removeServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, scope }: Params<"mcp.remove">,
): Promise<Result<"mcp.remove">> {
  const { project, server } = await findServer(environment, options, cwd, name);
  if (server.scope !== scope) {
    throw new ProtocolError(
      "refused",
      `${name}: this server is of the ${server.scope}`,
      server.scope === "project" ? "Remove it with --project." : "Remove it without --project.",
    );
  }
  const edit = { action: "unset" as const, key: ["mcp", "servers", name] };
  const { file } =
    scope === "user"
      ? await editUserConfig(environment, [edit])
      : await editConfigFile(environment, projectFile(project), [edit]);
  await openApprovals(environment.fs, project.codeliaHome).remove(server);
  if (isHttp(server)) await openLogin(environment.fs, project.codeliaHome, server).remove();
  return { name, file, notices: projectNotices(project) };
}

/** @effects starts the server and ends it again; a project's only when it was approved */
export async function testServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name }: Params<"mcp.test">,
): Promise<Result<"mcp.test">> {
  const found = await findServer(environment, options, cwd, name);
  const start = performance.now();
  const { offer, resources, prompts, change } = await named(
    environment,
    found.project,
    inspectServer(environment, found.project, found.server),
  );
  return {
    server: await wireServer(environment, found),
    duration_ms: Math.round(performance.now() - start),
    tools: offer.tools.map((tool) => wireTool(name, tool)),
    resources: resources.map(({ uri = "" }) => uri),
    prompts: prompts.map((prompt) => prompt.name),
    ...(change === undefined ? {} : { change }),
    notices: projectNotices(found.project),
  };
}

/**
 * The user's word about a server as it is now. Where somebody can be asked, they see first what they approve.
 * @effects starts the server and ends it again; keeps or takes back the approval
 */
export async function approveServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, revoke }: Params<"mcp.approve">,
  { confirm }: Channel,
): Promise<Result<"mcp.approve">> {
  if (revoke) return await revokeApproval(environment, options, cwd, name);
  const found = await findServer(environment, options, cwd, name);
  const { project, server } = found;
  const notices = projectNotices(project);
  const approval = await named(environment, project, approveNow(environment, project, server, confirm));
  const isUnheld = isStdio(server) && approval.launch === launchHash(server, { isHeld: false });
  return {
    server: await wireServer(environment, found),
    tools: approval.tools.map((tool) => wireTool(name, tool)),
    notices: [
      ...notices,
      ...(isUnheld ? [`${name} runs without a sandbox. See: codelia sandbox check`] : []),
    ],
  };
}

/** Of the settings' server of this name, and of one that a client brought to this project under it. */
async function revokeApproval(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  name: string,
): Promise<Result<"mcp.approve">> {
  const project = await openProject(environment, options, cwd);
  const approvals = openApprovals(environment.fs, project.codeliaHome);
  const isClients = await approvals.remove({ name, owner: clientOwner(project) });
  const server = configuredServers(project).find((each) => each.name === name);
  // Where there is neither, the error says what there is.
  if (server === undefined && !isClients) await findServer(environment, options, cwd, name);
  if (server !== undefined) await approvals.remove(server);
  return {
    ...(server === undefined ? {} : { server: await wireServer(environment, { project, server }) }),
    tools: [],
    notices: projectNotices(project),
  };
}

const loginSeconds = 300;

/** @effects tells the address to open; keeps the tokens */
export async function loginServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name, timeout_seconds: seconds = loginSeconds }: Params<"mcp.login">,
  { emit }: Channel,
): Promise<Result<"mcp.login">> {
  const { project, server } = await findServer(environment, options, cwd, name);
  if (!isHttp(server))
    throw new ProtocolError("invalid_params", `${name}: this server is a program; it has no login`);
  const needed = await named(
    environment,
    project,
    logIn(server, {
      store: openLogin(environment.fs, project.codeliaHome, server),
      fetch: environment.fetch,
      version: environment.version,
      show: (address) => emit({ type: "run.notice", text: `Open this address in a browser:\n${address}` }),
      timeoutMs: seconds * 1000,
    }),
  );
  return { name, needed };
}

export async function logoutServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { cwd, name }: Params<"mcp.logout">,
): Promise<Result<"mcp.logout">> {
  const { project, server } = await findServer(environment, options, cwd, name);
  const changed = isHttp(server) && (await openLogin(environment.fs, project.codeliaHome, server).remove());
  return { name, changed };
}

async function findServer(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  cwd: string,
  name: string,
): Promise<Found> {
  const project = await openProject(environment, options, cwd);
  const servers = configuredServers(project);
  const server = servers.find((each) => each.name === name);
  if (server !== undefined) return { project, server };
  const known = servers.map((each) => each.name).join(", ");
  const untrusted = project.trust.state === "untrusted" ? projectNotices(project) : [];
  throw new ProtocolError(
    untrusted.length > 0 ? "untrusted" : "not_found",
    `there is no MCP server ${name}`,
    [known === "" ? "No server is configured." : `There are: ${known}.`, ...untrusted].join("\n"),
  );
}

async function wireServer(
  environment: RuntimeEnvironment,
  { project, server }: Found,
): Promise<McpServerWire> {
  const { fs } = environment;
  const approval = await openApprovals(fs, project.codeliaHome).find(server);
  const login = isHttp(server) ? await openLogin(fs, project.codeliaHome, server).read() : undefined;
  return {
    name: server.name,
    scope: server.scope,
    transport: isStdio(server) ? "stdio" : "http",
    launch: describeLaunch(server),
    grants: describeGrants(server, project.root.path),
    ...stateOf(server, approval),
    ...(isHttp(server) ? { logged_in: login?.tokens !== undefined } : {}),
  };
}

function stateOf(
  server: ConfiguredServer,
  approval: McpApproval | undefined,
): Pick<McpServerWire, "state" | "reason" | "tools" | "approved_at"> {
  if (!isEnabled(server)) return { state: "disabled", reason: "enabled is false" };
  if (server.fault !== undefined) return { state: "unusable", reason: server.fault };
  if (approval?.pin === undefined) return { state: "unapproved", reason: "it was not approved yet" };
  const launches = [true, false].map((isHeld) => launchHash(server, { isHeld }));
  if (!launches.includes(approval.launch))
    return { state: "changed", reason: "its command or address is not what was approved" };
  return { state: "approved", tools: approval.tools.length, approved_at: approval.approvedAt };
}

function wireTool(server: string, { name, description }: { name: string; description: string }) {
  return { name, offered_as: offeredName(server, name), description };
}

function projectFile({ root }: Project): string {
  return join(root.path, ".codelia", "config.json");
}

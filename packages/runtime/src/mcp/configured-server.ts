// The servers that settings or a client name: whose each is, how it is started or reached, and whether it may be used.
import { createHash } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import type { McpHttpServer, McpServerConfig, McpStdioServer } from "@codelia/shared-types";
import type { Project } from "../project/index.ts";
import { isSecretName } from "../secrets/index.ts";

export interface ConfiguredServer {
  readonly name: string;
  /** Whose word it is: the user's settings, the project's, or the client's that started the run. */
  readonly scope: "user" | "project" | "client";
  /** By it approvals are told apart: what was approved of the user's says nothing about a project's. */
  readonly owner: string;
  readonly config: McpServerConfig;
  /** Why it cannot be used; undefined: nothing speaks against it. */
  readonly fault: string | undefined;
}

/** A server of the settings. */
export interface SettingsServer extends ConfiguredServer {
  readonly scope: "user" | "project";
}

export interface StdioConfigured extends ConfiguredServer {
  readonly config: McpStdioServer;
}

export interface HttpConfigured extends ConfiguredServer {
  readonly config: McpHttpServer;
}

export function isStdio(server: ConfiguredServer): server is StdioConfigured {
  return "command" in server.config;
}

export function isHttp(server: ConfiguredServer): server is HttpConfigured {
  return "url" in server.config;
}

/** @output all servers of the settings in force, by name; also those that are switched off */
export function configuredServers({
  settings,
  trust,
}: Pick<Project, "settings" | "trust">): SettingsServer[] {
  const prefix = "mcp.servers.";
  const sources = new Map(settings.entries.map(({ key, source }) => [key, source]));
  return Object.entries(settings.values.mcp.servers)
    .map(([name, config]): SettingsServer => {
      const isProjects = sources.get(`${prefix}${name}`)?.layer === "project";
      const owner = isProjects ? trust.identity : "user";
      return {
        name,
        scope: isProjects ? "project" : "user",
        owner,
        config,
        fault: faultOf(config, isProjects),
      };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function isEnabled({ config }: ConfiguredServer): boolean {
  return config.enabled !== false;
}

/** Why it cannot be used: what a repository may not decide, and where secrets may not stand. */
export function faultOf(config: McpServerConfig, isProjects: boolean): string | undefined {
  if ("url" in config) {
    const secret = Object.keys(config.headers ?? {}).find(isSecretHeader);
    return isProjects && secret !== undefined
      ? `a project's file may not hold the header ${secret}: name a variable of your environment in bearerTokenEnv`
      : undefined;
  }
  const { sandbox, env = {} } = config;
  const fault = programFault(config);
  if (fault !== undefined || !isProjects) return fault;
  if (sandbox === "off")
    return "a project's server may not leave the sandbox: set sandbox in your own config";
  const secret = Object.keys(env).find(isSecretName);
  return secret === undefined
    ? undefined
    : `a project's file may not hold the secret ${secret}: name the variable in passEnv`;
}

/** A path from somewhere would be another program in every directory. */
export function programFault({ command }: McpStdioServer): string | undefined {
  return !isAbsolute(command) && command.includes("/")
    ? "command is neither a name nor an absolute path; write one of them"
    : undefined;
}

/** Whether a header's name says that its value tells who one is. */
export function isSecretHeader(name: string): boolean {
  return /auth|key|token|secret|cookie/i.test(name);
}

/** Where a server of programs runs. */
export function directoryOf({ config }: StdioConfigured, root: string): string {
  return resolve(root, config.cwd ?? ".");
}

/**
 * What an approval is about: everything that decides what is started and with what, or which address is spoken to.
 * Limits of time are not part of it. A client gives keys and tokens by value, not by name: a new one is no other server.
 */
export function launchHash(server: ConfiguredServer, { isHeld }: { readonly isHeld: boolean }): string {
  return sha256(JSON.stringify(launchOf(server, isHeld)));
}

function launchOf(server: ConfiguredServer, isHeld: boolean): unknown {
  if (isHttp(server)) {
    const { url, headers = {}, bearerTokenEnv, oauth } = server.config;
    const named = pinned(server, headers, isSecretHeader);
    return ["http", url, named, bearerTokenEnv ?? null, oauth?.clientId ?? null];
  }
  if (!isStdio(server)) return [];
  const { command, args = [], cwd = ".", env = {}, passEnv = [], network = [] } = server.config;
  const variables = pinned(server, env, isSecretName);
  return ["stdio", command, args, cwd, variables, passEnv.toSorted(), network.toSorted(), isHeld];
}

function pinned(
  { scope }: ConfiguredServer,
  values: Readonly<Record<string, string>>,
  isSecret: (name: string) => boolean,
): [string, string | null][] {
  return Object.entries(values)
    .map(([name, value]): [string, string | null] => [
      name,
      scope === "client" && isSecret(name) ? null : value,
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** How it is started or reached, for people. */
export function describeLaunch(server: ConfiguredServer): string {
  if (isHttp(server)) return server.config.url;
  if (!isStdio(server)) return "";
  const { command, args = [] } = server.config;
  return [command, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ");
}

/** What it is given beyond its words, a line each. */
export function describeGrants(server: ConfiguredServer, root: string): string[] {
  if (isHttp(server)) {
    const { headers = {}, bearerTokenEnv } = server.config;
    return [
      ...(bearerTokenEnv === undefined ? [] : [`is sent the value of your variable ${bearerTokenEnv}`]),
      ...Object.keys(headers).map((name) => `is sent the header ${name}`),
    ];
  }
  if (!isStdio(server)) return [];
  const { env = {}, passEnv = [], network = [], sandbox } = server.config;
  return [
    `runs in ${directoryOf(server, root)}`,
    ...Object.entries(env).map(([name, value]) =>
      server.scope === "client" && isSecretName(name) ? `gets ${name}` : `gets ${name}=${value}`,
    ),
    ...passEnv.map((name) => `gets your variable ${name}`),
    ...network.map((host) => `may reach ${host}`),
    ...(sandbox === "off" ? ["runs without the sandbox"] : []),
  ];
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

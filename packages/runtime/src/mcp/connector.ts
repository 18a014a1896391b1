// How servers are connected to in a project: each with a sandbox of its own, and the hosts that it was granted.
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import {
  createSandbox,
  noSandbox,
  type Sandbox,
  type SandboxStanding,
  sandboxOptions,
} from "../sandbox/index.ts";
import { type Secret, secretVariables } from "../secrets/index.ts";
import { type ConfiguredServer, type HttpConfigured, isHttp, isStdio } from "./configured-server.ts";
import type { Connection } from "./connection.ts";
import { openLogin } from "./logins.ts";
import { clientSecrets, loginSecrets, placesOf } from "./server-secrets.ts";

export interface Connector {
  readonly connect: (server: ConfiguredServer, signal?: AbortSignal) => Promise<Connection>;
  /** Whether the sandbox would hold it. A server on the network needs none. */
  readonly standing: (server: ConfiguredServer) => Promise<SandboxStanding>;
  /** The tokens of its login. */
  readonly secretsOf: (server: ConfiguredServer) => Promise<Secret[]>;
  /** To be called when all connections are closed. */
  readonly dispose: () => Promise<void>;
}

export function createConnector(environment: RuntimeEnvironment, project: Project): Connector {
  // Kept until the end: to take a sandbox away while another one starts could take away what that stands on.
  const sandboxes = new Map<string, Sandbox>();
  const sandboxOf = (server: ConfiguredServer): Sandbox => {
    const sandbox = sandboxes.get(server.name) ?? serverSandbox(server, environment, project);
    sandboxes.set(server.name, sandbox);
    return sandbox;
  };
  const login = (server: HttpConfigured) => openLogin(environment.fs, project.codeliaHome, server);
  return {
    secretsOf: async (server) => (isHttp(server) ? loginSecrets(server, login(server)) : []),
    async connect(server, signal) {
      // What speaks MCP is loaded with the first server.
      const { Connection } = await import("./connection.ts");
      const { env, version, fetch } = environment;
      const place = {
        root: project.root.path,
        env,
        secretVariables: secretVariables(env, project.settings.values),
        sandbox: sandboxOf(server),
        requiresSandbox: project.settings.values.sandbox.enabled === "require",
        version,
        fetch,
        // What settings hold was approved with the words of then; a client's values are in no approval.
        secrets: server.scope === "client" ? clientSecrets([server], placesOf(environment, project)) : [],
        login,
      };
      return await Connection.open(server, place, signal);
    },
    async standing(server) {
      if (!isStdio(server)) return "in_force";
      const state = await sandboxOf(server).state();
      return state.inForce ? "in_force" : state.why;
    },
    async dispose() {
      for (const sandbox of sandboxes.values()) await sandbox.dispose();
      sandboxes.clear();
    },
  };
}

function serverSandbox(server: ConfiguredServer, environment: RuntimeEnvironment, project: Project): Sandbox {
  if (!isStdio(server)) return noSandbox("it runs elsewhere");
  const options = sandboxOptions(environment, project, []);
  const { network = [], sandbox = "on" } = server.config;
  const enabled = sandbox === "off" ? "off" : options.settings.enabled;
  return createSandbox({
    ...options,
    settings: { ...options.settings, enabled, network: { allowHosts: network } },
  });
}

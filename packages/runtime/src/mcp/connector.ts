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
import type { Secret } from "../secrets/index.ts";
import { type ConfiguredServer, type HttpConfigured, isHttp, isStdio } from "./configured-server.ts";
import type { Connection } from "./connection.ts";
import { openLogin } from "./logins.ts";
import { loginSecrets } from "./server-secrets.ts";

export interface Connector {
  readonly connect: (server: ConfiguredServer, signal?: AbortSignal) => Promise<Connection>;
  /** Whether the sandbox would hold it. A server on the network needs none. */
  readonly standing: (server: ConfiguredServer) => Promise<SandboxStanding>;
  /** The tokens of its login. */
  readonly secretsOf: (server: ConfiguredServer) => Promise<Secret[]>;
}

export function createConnector(environment: RuntimeEnvironment, project: Project): Connector {
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
        sandbox: serverSandbox(server, environment, project),
        requiresSandbox: project.settings.values.sandbox.enabled === "require",
        version,
        fetch,
        login,
      };
      return await Connection.open(server, place, signal);
    },
    async standing(server) {
      if (!isStdio(server)) return "in_force";
      const state = await serverSandbox(server, environment, project).state();
      return state.inForce ? "in_force" : state.why;
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

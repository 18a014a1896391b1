// The runtime's side of the protocol. Each method's code is loaded when it is first called.
import type { Handlers } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { protocolError } from "./failures.ts";

export function createHandlers(environment: RuntimeEnvironment, options: RuntimeOptions): Handlers {
  return {
    "context.inspect": guarded(async (params) =>
      (await import("./context.ts")).inspectContext(environment, options, params),
    ),
    "agents.tree": guarded(async (params) =>
      (await import("./context.ts")).agentsTree(environment, options, params),
    ),
    "config.inspect": guarded(async (params) =>
      (await import("./settings.ts")).inspectConfig(environment, options, params),
    ),
    "trust.add": guarded(async (params) =>
      (await import("./settings.ts")).addTrust(environment, options, params),
    ),
    "trust.remove": guarded(async (params) =>
      (await import("./settings.ts")).removeTrust(environment, options, params),
    ),
    "trust.list": guarded(async () => (await import("./settings.ts")).listTrust(environment)),
  };
}

function guarded<P, R>(handler: (params: P) => Promise<R>): (params: P) => Promise<R> {
  return async (params) => {
    try {
      return await handler(params);
    } catch (error) {
      throw protocolError(error);
    }
  };
}

// The runtime's side of the protocol. Each method's code is loaded when it is first called.
import type { Channel, Handlers } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { ActiveRuns } from "./active-runs.ts";
import { protocolError } from "./failures.ts";

export function createHandlers(environment: RuntimeEnvironment, options: RuntimeOptions): Handlers {
  const runs = new ActiveRuns();
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
    "run.start": guarded(async (params, channel) =>
      (await import("./run.ts")).startRun(environment, options, runs, params, channel),
    ),
    "run.steer": guarded((params) => Promise.resolve(runs.steer(params))),
    "run.cancel": guarded((params) => Promise.resolve(runs.cancel(params))),
    "models.list": guarded(async () => (await import("./models.ts")).listModels(environment, options)),
    "demo.prepare": guarded(async () => (await import("../demo/index.ts")).prepareDemo(environment)),
  };
}

function guarded<P, R>(handler: (params: P, channel: Channel) => Promise<R>) {
  return async (params: P, channel: Channel): Promise<R> => {
    try {
      return await handler(params, channel);
    } catch (error) {
      throw protocolError(error);
    }
  };
}

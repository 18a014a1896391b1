// The schemas of one method. Each group is loaded when one of its methods is first called: a run needs few of them, and to
// make them all takes longer than to find its instructions.
import type { z } from "zod";
import { ProtocolError } from "../error.ts";
import type { Method, Params, Result } from "../methods.ts";

export interface MethodSchemas<M extends Method> {
  readonly params: z.ZodType<Params<M>>;
  readonly result: z.ZodType<Result<M>>;
}

type Group = { readonly [M in Method]?: MethodSchemas<M> };

/** By the first word of their methods' names. */
const groups: Readonly<Record<string, () => Promise<Group>>> = {
  context: async () => (await import("./context.ts")).contextMethods,
  agents: async () => (await import("./agents.ts")).agentsMethods,
  config: async () => (await import("./config.ts")).configMethods,
  trust: async () => (await import("./trust.ts")).trustMethods,
  run: async () => (await import("./run.ts")).runMethods,
  session: async () => (await import("./session.ts")).sessionMethods,
  files: async () => (await import("./files.ts")).filesMethods,
  skills: async () => (await import("./skills.ts")).skillsMethods,
  flow: async () => (await import("./flow.ts")).flowMethods,
  models: async () => (await import("./models.ts")).modelsMethods,
  mcp: async () => (await import("./mcp.ts")).mcpMethods,
  permissions: async () => (await import("./permissions.ts")).permissionsMethods,
  sandbox: async () => (await import("./sandbox.ts")).sandboxMethods,
  doctor: async () => (await import("./doctor.ts")).doctorMethods,
  worktrees: async () => (await import("./worktrees.ts")).worktreesMethods,
  demo: async () => (await import("./demo.ts")).demoMethods,
};

/** @error ProtocolError internal: there is no such method */
export async function schemasOf<M extends Method>(method: M): Promise<MethodSchemas<M>> {
  const group: Group | undefined = await groups[method.slice(0, method.indexOf("."))]?.();
  const found = group?.[method];
  if (found === undefined) throw new ProtocolError("internal", `${method} has no schemas`);
  return found;
}

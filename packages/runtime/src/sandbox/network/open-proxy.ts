// The proxy for granted hosts; its code is loaded only where there are some.
import type { HostProxy, ProxyOptions } from "./proxy.ts";

export async function openProxy(
  allowHosts: readonly string[],
  listen: ProxyOptions["listen"],
): Promise<HostProxy | undefined> {
  if (allowHosts.length === 0) return undefined;
  const { startProxy } = await import("./proxy.ts");
  return startProxy({ allowHosts, listen });
}

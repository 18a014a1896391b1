export { bridgeScript, proxyVariables, socketInside } from "./bridge.ts";
export { openProxy } from "./open-proxy.ts";
export type { HostProxy } from "./proxy.ts";

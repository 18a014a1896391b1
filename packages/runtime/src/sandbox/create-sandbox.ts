// The sandbox of one session: finds out lazily what the machine has, and wraps commands accordingly.
import type { OpenedSandbox, SandboxOptions } from "./open-sandbox.ts";
import { noSandbox, type Sandbox } from "./sandbox.ts";

export type { SandboxOptions };

/** @effects none before the first call of `state` or `wrap` */
export function createSandbox(options: SandboxOptions): Sandbox {
  if (options.settings.enabled === "off") return noSandbox("sandbox.enabled is off");
  let opened: Promise<OpenedSandbox> | undefined;
  const open = () => {
    // Most runs begin without a command, and none should wait for this at its start.
    opened ??= import("./open-sandbox.ts").then(({ openSandbox }) => openSandbox(options));
    return opened;
  };
  return {
    state: async () => (await open()).state,
    wrap: async (command) => (await open()).wall.wrap(command),
    dispose: async () => {
      if (opened !== undefined) await (await opened).wall.dispose();
    },
  };
}

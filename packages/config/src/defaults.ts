// The lowest layer.
import type { Settings } from "@codelia/shared-types";

export const defaultSettings: Settings = {
  agents: {
    enabled: true,
    root: { markers: [".codelia", ".git", ".jj"], stopAtFsRoot: true },
    fallbackFilenames: [],
    home: { enabled: true },
    initial: { maxFiles: 64, maxBytes: 32768, role: "system" },
    resolver: { enabled: true, maxFilesPerResolve: 8, inline: { maxBytes: 0 } },
  },
  models: { maxAttempts: 6, providers: {}, prices: {} },
};

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
  context: { compactAt: 0.85 },
  mcp: { deferAbove: 0.05, clientNetwork: [], servers: {} },
  permissions: { allow: [], deny: [] },
  sandbox: {
    enabled: "auto",
    network: { allowHosts: [] },
    writablePaths: [],
    hiddenPaths: [],
    // Far above what builds need; far below what makes a machine stand still.
    limits: { processes: 8192, openFiles: 65_536, fileSizeMiB: 16_384 },
  },
  skills: {
    enabled: true,
    initial: { maxEntries: 200, maxBytes: 32768 },
    search: { defaultLimit: 8, maxLimit: 50 },
    disabled: [],
  },
  tui: { theme: "dark", plain: false, keys: {} },
  issues: {
    source: "local",
    remote: "origin",
    finalise: {
      commit: "all",
      merge: false,
      draft: false,
      comment: false,
      addLabels: [],
      removeLabels: [],
    },
    github: { apiUrl: "https://api.github.com", projects: true },
  },
};

// What no command may see: keys, other agents' homes, and sockets behind which somebody with more rights listens.
import { dirname, join } from "node:path";
import type { FileSystem } from "@codelia/shared-types";
import type { PathRule } from "./paths.ts";

/** Below the home directory. */
const inHome = [
  // keys and tokens
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/hub",
  ".config/op",
  ".config/sops",
  ".config/rclone",
  ".kube",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".config/git/credentials",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  ".password-store",
  ".local/share/keyrings",
  ".env",
  // container engines: whoever reaches their socket is root
  ".docker",
  ".colima",
  ".orbstack",
  ".lima",
  // browsers: cookies
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  // other agents
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".pi",
  ".copilot",
  ".cursor",
  ".aider.conf.yml",
  ".config/opencode",
  ".local/share/opencode",
  ".config/github-copilot",
  // what was typed
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  // macOS
  "Library/Keychains",
  "Library/Cookies",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Readable for root without any capability, because they are root's own. */
const forRoot = ["/etc/shadow", "/etc/gshadow", "/etc/ssl/private", "/etc/sudoers", "/etc/sudoers.d"];

/** Variables that name a socket; the sandbox also takes them out of the environment. */
export const socketVariables = [
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DOCKER_HOST",
  "CONTAINER_HOST",
  "DBUS_SESSION_BUS_ADDRESS",
  "DBUS_SYSTEM_BUS_ADDRESS",
  "XAUTHORITY",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "TMUX",
];

export interface HiddenPlaces {
  readonly fs: FileSystem;
  readonly userHome: string;
  readonly codeliaHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace: string;
  readonly isRoot: boolean;
  /** From the settings. */
  readonly further: readonly string[];
}

/** @output rules for those that exist, by real path */
export async function hiddenPaths(places: HiddenPlaces): Promise<PathRule[]> {
  const { fs, userHome, codeliaHome, workspace, isRoot, further } = places;
  const candidates = [
    ...inHome.map((name) => join(userHome, name)),
    codeliaHome,
    // Settings may hold keys, also those that are not in use just now.
    join(userHome, ".codelia"),
    join(places.env.XDG_CONFIG_HOME || join(userHome, ".config"), "codelia"),
    join(userHome, ".config/codelia"),
    ...(isRoot ? forRoot : []),
    ...socketPaths(places.env),
    ...ancestorsOf(workspace).flatMap((folder) => [join(folder, ".env"), join(folder, ".env.local")]),
    ...further,
  ];
  const rules = await Promise.all(candidates.map((path) => hide(fs, path)));
  return rules.filter((rule) => rule !== undefined);
}

async function hide(fs: FileSystem, path: string): Promise<PathRule | undefined> {
  // Most are not there. What cannot even be looked at needs no hiding.
  if ((await fs.lstat(path).catch(() => undefined)) === undefined) return undefined;
  const real = await fs.realPath(path).catch(() => undefined);
  const stat = real === undefined ? undefined : await fs.stat(real).catch(() => undefined);
  if (real === undefined || stat === undefined || real === "/") return undefined;
  return { path: real, access: "hidden", kind: stat.kind === "directory" ? "directory" : "file" };
}

function socketPaths(env: HiddenPlaces["env"]): string[] {
  return socketVariables.flatMap((name) => {
    const path = /^(?:unix:(?:path=|\/\/))?(\/[^,;]+)/.exec(env[name] ?? "")?.[1];
    return path === undefined ? [] : [path];
  });
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

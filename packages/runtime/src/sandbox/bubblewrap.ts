// Commands in bubblewrap, on Linux.
import { readlink } from "node:fs/promises";
import { findProgram } from "../programs/index.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { socketVariables } from "./hidden-paths.ts";
import { innerShell } from "./inner-shell.ts";
import { type HostProxy, openProxy, proxyVariables, socketInside } from "./network/index.ts";
import { isBelow, type SandboxPaths } from "./paths.ts";
import { Placeholders } from "./placeholders.ts";
import { type PolicyOptions, sandboxPaths } from "./policy.ts";
import { makePrivateDirectory, type PrivateDirectory, removePrivateDirectory } from "./private-directory.ts";
import type { Probe } from "./probe.ts";
import { type Command, SandboxError, type Wall } from "./sandbox.ts";

/** Services listen below; what lies there on purpose is made visible again by its own rule. */
const emptied = ["/run", "/var/run"];
const temporary = ["/tmp", "/var/tmp"];
/** NixOS reaches its programs through links below /run. */
const kept = ["/run/current-system", "/run/opengl-driver"];

interface Ground {
  readonly directory: PrivateDirectory;
  readonly proxy: HostProxy | undefined;
  readonly bash: string;
  /** Of `emptied` and `temporary`, those that are directories and no links. */
  readonly emptied: readonly string[];
  readonly temporary: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

export function createBubblewrap(
  options: PolicyOptions,
  probe: Extract<Probe, { works: true }>,
  socat: string | undefined,
): Wall {
  const placeholders = new Placeholders();
  let ground: Promise<Ground> | undefined;
  return {
    async wrap(command) {
      const isFirst = ground === undefined;
      ground ??= prepareGround(options);
      const base = await ground;
      const paths = await sandboxPaths(options, { cwd: command.cwd, path: command.env.PATH }, [
        ...base.emptied,
        ...base.temporary,
      ]);
      const present = await placeholders.make(paths.placeholders);
      if (isFirst) await placeholders.adopt(protectedDirectories(paths, await realWorkspace(options)));
      const isThere = (path: string) =>
        present.has(path) || !paths.placeholders.some((placeholder) => placeholder.path === path);
      const cwd = (await options.fs.realPath(command.cwd)) ?? command.cwd;
      const args = bubblewrapArguments({
        rules: paths.rules.filter((rule) => isThere(rule.path)),
        temporary: base.temporary.map((target) => ({
          source: target === "/tmp" ? base.directory.tmp : base.directory.varTmp,
          target,
        })),
        emptied: base.emptied,
        links: base.links,
        standIns: base.directory.standIns,
        proxy: base.proxy && { source: base.directory.socket, target: socketInside },
        cwd,
        innerVariables: Object.entries(command.env).filter(([name]) => isForLoader(name)),
        canDisableUserNamespaces: probe.canDisableUserNamespaces,
      });
      return {
        file: probe.program,
        args: [
          ...args,
          ...innerShell(base.bash, options.settings.limits, base.proxy && socat, [
            command.file,
            ...command.args,
          ]),
        ],
        cwd: command.cwd,
        env: innerEnvironment(command.env, base.proxy !== undefined),
        isContained: true,
      };
    },
    async dispose() {
      // Without ground nothing was made; why there is none was said to whoever wanted it.
      const base = await ground?.catch(() => undefined);
      if (base === undefined) return;
      const { directory, proxy } = base;
      await proxy?.close();
      await placeholders.dispose();
      await removePrivateDirectory(directory);
    },
  };
}

async function realWorkspace({ fs, workspace }: PolicyOptions): Promise<string> {
  return (await fs.realPath(workspace)) ?? workspace;
}

function protectedDirectories({ rules }: SandboxPaths, workspace: string): string[] {
  return rules.flatMap(({ path, access, kind }) =>
    access === "read" && kind === "directory" && isBelow(path, workspace) ? [path] : [],
  );
}

async function prepareGround({ fs, settings, workspace, env }: PolicyOptions): Promise<Ground> {
  const bash = await findProgram("bash", { workspace, path: env.PATH });
  if (bash === undefined) throw new SandboxError("bash is not installed; the sandbox needs it to set limits");
  const directory = await makePrivateDirectory();
  const { allowHosts } = settings.network;
  const isFolder = async (path: string) => (await fs.lstat(path))?.kind === "directory";
  const folders = async (paths: readonly string[]) => {
    const kinds = await Promise.all(paths.map(isFolder));
    return paths.filter((_, index) => kinds[index]);
  };
  return {
    directory,
    proxy: await openProxy(allowHosts, { socket: directory.socket }),
    bash,
    emptied: await folders(emptied),
    temporary: await folders(temporary),
    links: await linksAt(kept),
  };
}

async function linksAt(paths: readonly string[]): Promise<Ground["links"]> {
  const targets = await Promise.all(paths.map((path) => readlink(path).catch(() => undefined)));
  return paths.flatMap((path, index) => {
    const target = targets[index];
    return target === undefined ? [] : [{ path, target }];
  });
}

/** Whether the dynamic loader obeys it: LD_PRELOAD would be loaded into bubblewrap itself, which nothing holds. */
function isForLoader(name: string): boolean {
  return name.startsWith("LD_") || name === "GLIBC_TUNABLES";
}

/** Temporary files and caches go to the private directory; the user's caches are read-only. */
function innerEnvironment(env: Command["env"], hasProxy: boolean): Record<string, string> {
  const inside = Object.fromEntries(
    Object.entries(env).filter(([name]) => !socketVariables.includes(name) && !isForLoader(name)),
  );
  return {
    ...inside,
    TMPDIR: "/tmp",
    XDG_CACHE_HOME: "/tmp/.cache",
    npm_config_cache: "/tmp/.npm",
    ...(hasProxy ? proxyVariables() : {}),
  };
}

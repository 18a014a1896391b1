// Commands in Seatbelt, on macOS. The profile can name what does not exist yet, so nothing has to be put there.
import { realpath } from "node:fs/promises";
import { socketVariables } from "./hidden-paths.ts";
import { limitScript } from "./limits.ts";
import { type HostProxy, openProxy, proxyVariables } from "./network/index.ts";
import { type PolicyOptions, sandboxPaths } from "./policy.ts";
import { makePrivateDirectory, type PrivateDirectory, removePrivateDirectory } from "./private-directory.ts";
import type { Probe } from "./probe.ts";
import type { Wall } from "./sandbox.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

interface Ground {
  readonly directory: PrivateDirectory;
  readonly temporary: string;
  readonly proxy: HostProxy | undefined;
}

export function createSeatbelt(options: PolicyOptions, probe: Extract<Probe, { works: true }>): Wall {
  let ground: Promise<Ground> | undefined;
  return {
    async wrap({ file, args, cwd, env }) {
      ground ??= prepareGround(options);
      const { temporary, proxy } = await ground;
      const { rules, placeholders } = await sandboxPaths(options, { cwd, path: env.PATH }, []);
      const absent = new Set(placeholders.map(({ path }) => path));
      const profile = seatbeltProfile({
        rules: rules.filter(({ path }) => !absent.has(path)),
        absent: [...absent],
        temporary,
        proxyPort: proxy?.port,
      });
      const script = `${limitScript(options.settings.limits)}; exec "$@"`;
      const inside = Object.fromEntries(
        Object.entries(env).filter(([name]) => !socketVariables.includes(name)),
      );
      return {
        file: probe.program,
        args: ["-p", profile, "/bin/bash", "-p", "-c", script, "codelia", file, ...args],
        cwd,
        env: {
          ...inside,
          TMPDIR: temporary,
          XDG_CACHE_HOME: `${temporary}/.cache`,
          npm_config_cache: `${temporary}/.npm`,
          ...(proxy?.port === undefined ? {} : proxyVariables(proxy.port)),
        },
        // There are no namespaces: signals go to the processes as they would without the sandbox.
        isContained: false,
      };
    },
    async dispose() {
      // Without ground nothing was made; why there is none was said to whoever wanted it.
      const base = await ground?.catch(() => undefined);
      if (base === undefined) return;
      const { directory, proxy } = base;
      await proxy?.close();
      await removePrivateDirectory(directory);
    },
  };
}

async function prepareGround({ settings }: PolicyOptions): Promise<Ground> {
  const directory = await makePrivateDirectory();
  const { allowHosts } = settings.network;
  return {
    directory,
    temporary: await realpath(directory.tmp),
    proxy: await openProxy(allowHosts, "loopback"),
  };
}

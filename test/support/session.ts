// The road of a session start, as the runtime walks it.
import { defaultSettings } from "@codelia/config";
import {
  type AgentsResolver,
  createAgentsResolver,
  findAgentsRoot,
  foldAgentsRecords,
  type InitialAgents,
  loadInitialAgents,
} from "@codelia/core";
import type { AgentsConfig, AgentsSettings, FileSystem } from "@codelia/shared-types";
import { nodeFileSystem } from "@codelia/storage";

export interface SessionOptions {
  readonly cwd: string;
  readonly fs?: FileSystem;
  readonly settings?: AgentsConfig;
  readonly trusted?: boolean;
  readonly userHome?: string;
  readonly codeliaHome?: string;
  readonly isTrusted?: (root: string) => Promise<boolean>;
}

export interface Session {
  readonly initial: InitialAgents;
  readonly resolver: AgentsResolver;
  readonly settings: AgentsSettings;
}

/** The defaults with some values changed. */
export function agentsSettings(changes: AgentsConfig = {}): AgentsSettings {
  const { root, home, initial, resolver, ...top } = defaultSettings.agents;
  const {
    root: rootChanges,
    home: homeChanges,
    initial: initialChanges,
    resolver: resolverChanges,
    ...rest
  } = changes;
  const { inline, ...resolverRest } = resolverChanges ?? {};
  return defined({
    ...top,
    ...defined(rest),
    root: { ...root, ...defined(rootChanges ?? {}) },
    home: { ...home, ...defined(homeChanges ?? {}) },
    initial: { ...initial, ...defined(initialChanges ?? {}) },
    resolver: {
      ...resolver,
      ...defined(resolverRest),
      inline: { ...resolver.inline, ...defined(inline ?? {}) },
    },
  });
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function defined<T extends object>(value: T): Defined<T>;
function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}

export async function startSession(options: SessionOptions): Promise<Session> {
  const { cwd, fs = nodeFileSystem, trusted = true, userHome = "/nowhere" } = options;
  const codeliaHome = options.codeliaHome ?? `${userHome}/.codelia`;
  const settings = agentsSettings(options.settings);
  const root = await findAgentsRoot({ fs, cwd, settings: settings.root, userHome, codeliaHome });
  const initial = await loadInitialAgents({ fs, cwd, root, settings, codeliaHome, trusted });
  const resolver = createAgentsResolver({
    fs,
    settings,
    userHome,
    codeliaHome,
    state: foldAgentsRecords([initial.record]),
    isTrusted: options.isTrusted ?? (() => Promise.resolve(trusted)),
  });
  return { initial, resolver, settings };
}

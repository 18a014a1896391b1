// To which project a directory belongs, and whether that project may speak to the model.
import type { AgentsSettings, FileSystem } from "@codelia/shared-types";
import { isInside } from "./chain.ts";
import { findMarkedRoot } from "./root.ts";

export interface Scope {
  readonly root: string;
  /** Files must lie inside it after following links; `undefined`: they may lie anywhere. */
  readonly realRoot: string | undefined;
  readonly trusted: boolean;
}

export interface ScopeOptions {
  readonly fs: FileSystem;
  readonly settings: AgentsSettings;
  readonly userHome: string;
  readonly codeliaHome: string;
  /** Whether the project with this root may speak to the model. */
  readonly isTrusted: (root: string) => Promise<boolean>;
}

/** Finds scopes. The session's own is looked up once; others may come and go while it works. */
export class Scopes {
  readonly #options: ScopeOptions;
  readonly #known = new Map<string, Scope>();

  constructor(options: ScopeOptions) {
    this.#options = options;
  }

  async of(directory: string, sessionRoot: string): Promise<Scope> {
    if (isInside(directory, sessionRoot)) {
      const scope = this.#known.get(sessionRoot) ?? (await this.#describe(sessionRoot));
      this.#known.set(sessionRoot, scope);
      return scope;
    }
    const { fs, settings, userHome, codeliaHome } = this.#options;
    const root = await findMarkedRoot({ fs, settings: settings.root, userHome, codeliaHome }, directory);
    return this.#describe(root.path);
  }

  async #describe(root: string): Promise<Scope> {
    const { fs, isTrusted } = this.#options;
    const [realRoot, trusted] = await Promise.all([fs.realPath(root), isTrusted(root)]);
    return { root, realRoot: realRoot ?? root, trusted };
  }
}

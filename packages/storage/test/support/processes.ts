// Processes that live and die as a test wants, on one machine.
import type { Processes } from "@codelia/storage";

export class ProcessWorld {
  readonly #dead = new Set<number>();

  /** The world as process `pid` sees it. */
  as(pid: number): Processes {
    return {
      self: async () => ({ pid, host: "here" }),
      isAlive: async (identity) => !this.#dead.has(identity.pid),
    };
  }

  end(pid: number): void {
    this.#dead.add(pid);
  }
}

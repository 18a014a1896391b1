// Small file operations on this thread while that is the faster way.

/** How long an operation on a local file system may take; what goes beyond is counted against the budget. */
const usualMs = 1;
const slownessBudgetMs = 50;
/** An operation that was fast gives back this much: on a busy machine one in some hundred is held up by others. */
const regainedMs = 0.05;

/**
 * A local file system answers in microseconds, while a trip through the thread pool takes fifty or more. So operations
 * are done directly until the file system turns out to be slow (a network, a sleeping disk): from then on they go
 * through the pool, where they cannot hold up anything else.
 */
export class DirectWhileFast {
  readonly #budgetMs: number;
  readonly #now: () => number;
  #patienceMs: number;

  constructor(budgetMs: number = slownessBudgetMs, now: () => number = () => performance.now()) {
    this.#budgetMs = budgetMs;
    this.#patienceMs = budgetMs;
    this.#now = now;
  }

  /** @output what `direct` or `pooled` gives; a throw becomes a rejection */
  async run<T>(direct: () => T, pooled: () => Promise<T>): Promise<T> {
    if (this.#patienceMs <= 0) return pooled();
    const start = this.#now();
    try {
      return direct();
    } finally {
      const lateMs = this.#now() - start - usualMs;
      this.#patienceMs = Math.min(this.#budgetMs, this.#patienceMs - (lateMs > 0 ? lateMs : -regainedMs));
    }
  }
}

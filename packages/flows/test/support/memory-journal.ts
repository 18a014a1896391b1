// A journal in memory that can die at any write, before or after the record was kept.
import type { FlowJournal } from "@codelia/flows";
import type { FlowRecord } from "@codelia/shared-types";

export class Crash extends Error {}

export interface CrashPoint {
  /** The number of the write, from 1. */
  readonly write: number;
  readonly when: "before" | "after";
}

export class MemoryJournal implements FlowJournal {
  readonly records: FlowRecord[];
  /** How many records there were at each flush. */
  readonly flushedAt: number[] = [];
  readonly #crash: CrashPoint | undefined;
  #writes = 0;
  #isDead = false;

  constructor(records: readonly FlowRecord[] = [], crash?: CrashPoint) {
    this.records = structuredClone([...records]);
    this.#crash = crash;
  }

  get writes(): number {
    return this.#writes;
  }

  /** Nothing happens any more: the process is gone. */
  get isDead(): boolean {
    return this.#isDead;
  }

  async append(record: FlowRecord): Promise<number> {
    if (this.#isDead) throw new Crash("dead");
    this.#writes += 1;
    const isHere = this.#writes === this.#crash?.write;
    if (isHere && this.#crash.when === "before") this.#die();
    this.records.push(structuredClone(record));
    if (isHere) this.#die();
    return this.records.length;
  }

  async flush(): Promise<void> {
    this.flushedAt.push(this.records.length);
  }

  #die(): never {
    this.#isDead = true;
    throw new Crash("crash");
  }
}

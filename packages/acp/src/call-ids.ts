// Ids of tool calls, unique in a session. Those of a model are unique in one run only.
export class CallIds {
  readonly #used = new Set<string>();
  #current = new Map<string, string>();

  /** From here on the same id is another call. */
  begin(): void {
    this.#current = new Map();
  }

  /** @output the id that the editor knows the call by */
  of(callId: string): string {
    const known = this.#current.get(callId);
    if (known !== undefined) return known;
    let id = callId;
    for (let count = 2; this.#used.has(id); count += 1) id = `${callId}~${count}`;
    this.#used.add(id);
    this.#current.set(callId, id);
    return id;
  }

  has(callId: string): boolean {
    return this.#current.has(callId);
  }
}

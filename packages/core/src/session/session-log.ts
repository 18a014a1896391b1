// A session while it goes on: every record is kept first and counts afterwards.
import type { HistoryStore, SessionEntry, SessionRecord } from "@codelia/shared-types";
import { Conversation } from "./conversation.ts";

export class SessionLog {
  readonly conversation: Conversation;
  readonly #store: HistoryStore;

  constructor(store: HistoryStore, conversation: Conversation = new Conversation()) {
    this.#store = store;
    this.conversation = conversation;
  }

  /**
   * @effects the record outlives the process when this returns
   * @error  the store's; the conversation is then as it was
   */
  async append(record: SessionRecord): Promise<SessionEntry> {
    const entry = await this.#store.append(record);
    this.conversation.apply(entry);
    return entry;
  }

  /** Everything appended so far outlives a power cut when this returns. */
  flush(): Promise<void> {
    return this.#store.flush();
  }
}

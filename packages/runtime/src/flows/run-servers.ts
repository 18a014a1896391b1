// The MCP servers of a run: asked about by the first query that may use them, shared by its sessions, ended with it.
import type { ServerKeeper } from "../agent-factory.ts";
import type { Confirm, EnteredServers } from "../mcp/index.ts";

export class RunServers {
  #entering: Promise<EnteredServers> | undefined;
  /** Of the query that is under way: a question must not outlive it. */
  #confirm: Confirm | undefined;
  #isClosed = false;
  /** Those that a query left behind which was cut off. */
  #ending: Promise<void> | undefined;

  /** @input signal: of the query; what it cut off in the middle of a question is asked again by the next one */
  forQuery(signal: AbortSignal): ServerKeeper {
    return {
      take: async (confirm, enter) => {
        if (this.#isClosed) throw new Error("the run has ended");
        this.#confirm = confirm;
        if (this.#entering !== undefined) return await this.#entering;
        const ask: Confirm | undefined = confirm && ((question) => (this.#confirm ?? confirm)(question));
        const entering = enter(ask);
        this.#entering = entering;
        const entered = await entering.catch((error: unknown) => {
          this.#entering = undefined;
          throw error;
        });
        if (!signal.aborted) return entered;
        this.#entering = undefined;
        this.#ending = entered.servers.dispose();
        await this.#ending;
        throw signal.reason;
      },
    };
  }

  /** @effects ends all of them; none is started again */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ending;
    const entered = await this.#entering?.catch(() => undefined);
    await entered?.servers.dispose();
  }
}

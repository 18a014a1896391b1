// Face and runtime in one process: the same contract as over a wire, parsed on both sides.
import { checkedParams, checkedResult } from "./checked.ts";
import type { Channel, Client, Handlers, Method, Params, Result } from "./methods.ts";

export function connectInProcess(handlers: Handlers): Client {
  return {
    async call<M extends Method>(
      method: M,
      params: Params<M>,
      channel: Partial<Channel> = {},
    ): Promise<Result<M>> {
      checkedParams(method, params);
      const result = await handlers[method](params, {
        emit: () => undefined,
        confirm: undefined,
        ...channel,
      });
      checkedResult(method, result);
      return result;
    },
  };
}

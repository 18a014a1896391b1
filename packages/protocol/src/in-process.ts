// Face and runtime in one process: the same contract as over a wire, parsed on both sides.
import { checkedParams, checkedResult } from "./checked.ts";
import {
  type CallChannel,
  type Client,
  emitTo,
  type Handlers,
  type Method,
  type Params,
  type Result,
} from "./methods.ts";

export function connectInProcess(handlers: Handlers): Client {
  return {
    async call<M extends Method>(
      method: M,
      params: Params<M>,
      channel: CallChannel<M> = {},
    ): Promise<Result<M>> {
      checkedParams(method, params);
      const result = await handlers[method](params, {
        confirm: undefined,
        ...channel,
        emit: emitTo(method, channel),
      });
      checkedResult(method, result);
      return result;
    },
  };
}

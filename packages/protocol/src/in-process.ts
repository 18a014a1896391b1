// Face and runtime in one process: the same contract as over a wire, parsed on both sides.
import { checkedParams, checkedResult } from "./checked.ts";
import { emitTo } from "./emit-to.ts";
import { schemasOf } from "./groups/index.ts";
import type { CallChannel, Client, Handlers, Method, Params, Result } from "./methods.ts";

export function connectInProcess(handlers: Handlers): Client {
  return {
    async call<M extends Method>(
      method: M,
      params: Params<M>,
      channel: CallChannel<M> = {},
    ): Promise<Result<M>> {
      const schemas = await schemasOf(method);
      checkedParams(method, schemas, params);
      const result = await handlers[method](params, {
        confirm: undefined,
        ...channel,
        emit: emitTo(method, channel),
      });
      checkedResult(method, schemas, result);
      return result;
    },
  };
}

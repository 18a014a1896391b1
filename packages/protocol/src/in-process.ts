// Face and runtime in one process: the same contract as over a wire, parsed on both sides.
import { ProtocolError } from "./error.ts";
import {
  type Channel,
  type Client,
  type Handlers,
  type Method,
  methods,
  type Params,
  type Result,
} from "./methods.ts";

export function connectInProcess(handlers: Handlers): Client {
  return {
    async call<M extends Method>(
      method: M,
      params: Params<M>,
      channel: Partial<Channel> = {},
    ): Promise<Result<M>> {
      const parsed = methods[method].params.safeParse(params);
      if (!parsed.success) {
        throw new ProtocolError("invalid_params", `${method}: ${parsed.error.message}`, undefined, {
          cause: parsed.error,
        });
      }
      const result = await handlers[method](params, {
        emit: () => undefined,
        confirm: undefined,
        ...channel,
      });
      methods[method].result.parse(result);
      return result;
    },
  };
}

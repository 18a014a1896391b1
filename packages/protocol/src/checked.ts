// Parses what goes into a method and what comes out of it: both sides do.
import type { z } from "zod";
import { ProtocolError } from "./error.ts";
import { describeIssues } from "./issues.ts";
import { type Method, methods, type Params, type Result } from "./methods.ts";

/** The table, with its types by method. */
const schemas: {
  readonly [M in Method]: {
    readonly params: z.ZodType<Params<M>>;
    readonly result: z.ZodType<Result<M>>;
  };
} = methods;

/** @error ProtocolError invalid_params */
export function checkedParams<M extends Method>(method: M, params: unknown): Params<M> {
  const parsed = schemas[method].params.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(
    "invalid_params",
    `${method}: ${describeIssues(parsed.error)}`,
    "See the method's parameters in docs/protocol.md.",
    { cause: parsed.error },
  );
}

/** @error ProtocolError internal: the other side does not keep the contract */
export function checkedResult<M extends Method>(method: M, result: unknown): Result<M> {
  const parsed = schemas[method].result.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(
    "internal",
    `${method}: the result is not what the protocol says: ${describeIssues(parsed.error)}`,
    undefined,
    { cause: parsed.error },
  );
}

// Parses what goes into a method and what comes out of it: both sides do.
import { ProtocolError } from "./error.ts";
import type { MethodSchemas } from "./groups/index.ts";
import { describeIssues } from "./issues.ts";
import type { Method, Params, Result } from "./methods.ts";

/** @error ProtocolError invalid_params */
export function checkedParams<M extends Method>(
  method: M,
  { params: schema }: MethodSchemas<M>,
  params: unknown,
): Params<M> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(
    "invalid_params",
    `${method}: ${describeIssues(parsed.error)}`,
    "See the method's parameters in docs/protocol.md.",
    { cause: parsed.error },
  );
}

/** @error ProtocolError internal: the other side does not keep the contract */
export function checkedResult<M extends Method>(
  method: M,
  { result: schema }: MethodSchemas<M>,
  result: unknown,
): Result<M> {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new ProtocolError(
    "internal",
    `${method}: the result is not what the protocol says: ${describeIssues(parsed.error)}`,
    undefined,
    { cause: parsed.error },
  );
}

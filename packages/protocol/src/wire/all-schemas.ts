// The schemas of every method at once: a wire is asked for any of them, and has to answer in the order of the questions.
import { type MethodSchemas, methods } from "../groups/index.ts";
import type { Method } from "../methods.ts";

export const allSchemas: { readonly [M in Method]: MethodSchemas<M> } = methods;

// Handlers that do nothing, but for those that a test gives.
import { type Handlers, type Method, methods, ProtocolError, type Result } from "../src/index.ts";

export function handlersWith(some: Partial<Handlers>): Handlers {
  const refuse = (method: string) => () =>
    Promise.reject(new ProtocolError("refused", `${method} is not here`));
  const all = Object.fromEntries(Object.keys(methods).map((method) => [method, refuse(method)]));
  return complete({ ...all, ...some });
}

function complete(handlers: Partial<Handlers>): Handlers {
  if (isComplete(handlers)) return handlers;
  throw new Error("a method has no handler");
}

function isComplete(handlers: Partial<Handlers>): handlers is Handlers {
  const names: Method[] = Object.keys(methods).filter((name): name is Method => name in methods);
  return names.every((name) => handlers[name] !== undefined);
}

export const runParams = {
  cwd: "/repo",
  prompt: "do it",
  images: [],
  approval: "ask" as const,
  compact: true,
};

const usage = { input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0 };

export function runResult(text: string): Result<"run.start"> {
  return { run_id: "r", session_id: "r", status: "done", text, turns: 1, usage, refused_calls: 0 };
}

export const question = {
  call_id: "call-1",
  tool: "bash",
  title: "bash ls",
  detail: "ls",
  why: "commands are asked about",
};

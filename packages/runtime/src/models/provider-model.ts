// A provider's model, with retries and its price.
import {
  costOf,
  defaultModel,
  isModelChoiceFailure,
  type ModelChoiceFailure,
  openModel,
  withRetry,
} from "@codelia/models";
import { ProtocolError } from "@codelia/protocol";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import type { OpenedConnection } from "./connection.ts";

/**
 * @input  model: `provider/model`; absent: the configured or the first usable one
 * @error  ProtocolError no_model, with what to do
 */
export async function openProviderModel(
  { env, fetch }: RuntimeEnvironment,
  project: Project,
  model: string | undefined,
): Promise<OpenedConnection> {
  const { providers, prices, maxAttempts, default: configured } = project.settings.values.models;
  const registry = { env, providers, fetch };
  const chosen = model ?? (await defaultModel({ ...registry, configured }));
  if (typeof chosen !== "string" && isModelChoiceFailure(chosen)) throw noModel(chosen);
  const id = typeof chosen === "string" ? chosen : chosen.model;
  const connection = await openModel({ ...registry, model: id, prices });
  if (isModelChoiceFailure(connection)) throw noModel(connection);
  return {
    connection: withRetry(connection, { maxAttempts }),
    model: id,
    costOf: (usage) => costOf(usage, id, prices),
    close: () => Promise.resolve(),
  };
}

function noModel({ message, hint }: ModelChoiceFailure): ProtocolError {
  return new ProtocolError("no_model", message, `${hint}\nSee: codelia models`);
}

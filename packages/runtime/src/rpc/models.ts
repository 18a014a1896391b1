// `models.list` and `models.set`.
import { editUserConfig } from "@codelia/config";
import { defaultModel, isModelChoiceFailure, listUsableModels } from "@codelia/models";
import { type Params, ProtocolError, type Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { describeSource, readUserSettings } from "../project/index.ts";

/** @effects asks local servers which models they have; no request leaves this computer */
export async function listModels(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
): Promise<Result<"models.list">> {
  const { env, fetch } = environment;
  const { providers, default: configured } = (await readUserSettings(environment, options)).values.models;
  const registry = { env, providers, fetch };
  const [listings, choice] = await Promise.all([
    listUsableModels(registry),
    defaultModel({ ...registry, configured }),
  ]);
  return {
    ...(isModelChoiceFailure(choice) ? {} : { default_model: choice.model }),
    providers: listings.map(({ provider, usable, reason, models }) => ({
      name: provider,
      usable,
      why: reason,
      models: [...models],
    })),
  };
}

/**
 * @effects changes `models.default` in the user's config.json, unless it says so already
 * @error  ProtocolError no_model for one that cannot be used: nothing is changed then
 */
export async function setDefaultModel(
  environment: RuntimeEnvironment,
  options: RuntimeOptions,
  { model }: Params<"models.set">,
): Promise<Result<"models.set">> {
  const { env, fetch } = environment;
  const { providers } = (await readUserSettings(environment, options)).values.models;
  const choice = await defaultModel({ env, providers, fetch, configured: model });
  if (isModelChoiceFailure(choice)) throw new ProtocolError("no_model", choice.message, choice.hint);
  const key = ["models", "default"];
  const { file, changed } = await editUserConfig(environment, [{ action: "set", key, value: model }]);
  const { entries } = await readUserSettings(environment, options);
  const inForce = entries.find((entry) => entry.key === key.join("."));
  const isOurs = inForce === undefined || inForce.value === model;
  return { model, changed, file, ...(isOurs ? {} : { overridden_by: describeSource(inForce.source) }) };
}

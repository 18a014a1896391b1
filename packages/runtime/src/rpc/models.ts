// `models.list`.
import { defaultModel, isModelChoiceFailure, listUsableModels } from "@codelia/models";
import type { Result } from "@codelia/protocol";
import type { RuntimeEnvironment, RuntimeOptions } from "../environment.ts";
import { readUserSettings } from "../project/index.ts";

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

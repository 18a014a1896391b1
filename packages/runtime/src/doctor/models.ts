// Which model a run would use, and whether its provider really answers.
import {
  checkProviders,
  defaultModel,
  isModelChoiceFailure,
  type ProviderAnswer,
  type ProviderCheck,
} from "@codelia/models";
import { visibleName } from "@codelia/shared-types";
import type { RuntimeEnvironment } from "../environment.ts";
import type { Project } from "../project/index.ts";
import { type DoctorFinding, fine, problem, warning } from "./finding.ts";

/** Long enough for a slow line, short enough for somebody who waits. */
const timeoutMs = 10_000;

export async function checkModels(
  { env, fetch }: RuntimeEnvironment,
  { settings }: Project,
): Promise<DoctorFinding[]> {
  const { providers, default: configured } = settings.values.models;
  const registry = { env, providers, fetch };
  const [checks, choice] = await Promise.all([
    checkProviders({ ...registry, timeoutMs }),
    defaultModel({ ...registry, configured }),
  ]);
  if (isModelChoiceFailure(choice)) {
    return [
      problem("model", choice.message, choice.hint),
      ...checks.map((check) => providerFinding(check, false)),
    ];
  }
  const chosen = choice.model.slice(0, choice.model.indexOf("/"));
  return [
    modelFinding(choice, checks.find(({ provider }) => provider === chosen)?.answer),
    ...checks.map((check) => providerFinding(check, check.provider === chosen)),
  ];
}

function modelFinding(
  { model, reason }: { model: string; reason: string },
  answer: ProviderAnswer | undefined,
): DoctorFinding {
  const name = visibleName(model);
  const id = model.slice(model.indexOf("/") + 1);
  const listed = answer?.outcome === "answers" ? answer.models : undefined;
  if (listed !== undefined && listed.length > 0 && !listed.includes(id)) {
    return warning(
      "model",
      `${name} would be used, and its provider does not list it`,
      `Set models.default to one that it lists, for example ${visibleName(`${model.slice(0, -id.length)}${listed[0]}`)}.`,
    );
  }
  return fine("model", `${name} is used without -m: ${visibleName(reason)}`);
}

function providerFinding(
  { provider, baseUrl, keySource, answer, local }: ProviderCheck,
  isChosen: boolean,
): DoctorFinding {
  const address = visibleName(baseUrl ?? "");
  switch (answer.outcome) {
    case "answers": {
      const key = keySource === undefined ? "" : `, the key in ${keySource} is valid`;
      const count = answer.models === undefined ? "" : `, ${answer.models.length} models`;
      return fine("provider", `${provider} answers at ${address}${count}${key}`);
    }
    case "wrong_key":
      return keySource === undefined
        ? problem(
            "provider",
            `${provider} wants a key (${answer.status} from ${address})`,
            `Name the variable that holds it in models.providers.${provider}.apiKeyEnv.`,
          )
        : problem(
            "provider",
            `${provider} refuses the key in ${keySource} (${answer.status} from ${address})`,
            `Put a valid key into ${keySource}. A key of another provider, or one that was revoked, is refused so.`,
          );
    case "refuses":
      return warning(
        "provider",
        `${provider} answers ${answer.status} at ${address}, so the key was not tried`,
        `If runs fail too, check models.providers.${provider}.baseUrl, or wait: ${answer.status >= 500 ? "the provider has a failure" : "it may not have a list of models"}.`,
      );
    case "silent": {
      const fix = local
        ? `Start the server, or take models.providers.${provider} out of your settings.`
        : "Check the network, a proxy, and the address.";
      const text = `${provider} does not answer at ${address}: ${answer.reason}`;
      return isChosen ? problem("provider", text, fix) : warning("provider", text, fix);
    }
    case "no_address":
      return problem(
        "provider",
        `${provider} has no usable address${address === "" ? "" : `: ${address}`}`,
        `Set models.providers.${provider}.baseUrl to an address such as "http://127.0.0.1:8000/v1".`,
      );
  }
}

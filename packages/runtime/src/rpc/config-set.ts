// `config.set`.
import { editUserConfig } from "@codelia/config";
import type { Params, Result } from "@codelia/protocol";
import type { RuntimeEnvironment } from "../environment.ts";

export async function setConfig(
  environment: RuntimeEnvironment,
  { key, value }: Params<"config.set">,
): Promise<Result<"config.set">> {
  return await editUserConfig(environment, [{ action: "set", key: key.split("."), value }]);
}

// codelia models
import { visibleJson, visibleName } from "@codelia/shared-types";
import { parseCommand, settingFlags } from "../arguments.ts";
import { descriptions } from "../descriptions/index.ts";
import { type CliIo, exitCode } from "../io.ts";
import { columns } from "../render/index.ts";
import { UsageError } from "../usage.ts";

const command = "models";

export async function modelsCommand(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseCommand(command, args, descriptions.models.options);
  if (positionals.length > 0) throw new UsageError(`unexpected argument '${positionals[0]}'`, command);
  const client = await io.connect({ settings: settingFlags(command, values.config), trust: false });
  const result = await client.call("models.list", {});
  if (values.json) {
    io.stdout.write(`${visibleJson(result)}\n`);
    return exitCode.done;
  }
  const rows = result.providers.map(({ name, usable, why }) => [usable ? "✓" : "✗", name, visibleName(why)]);
  const models = result.providers
    .filter(({ usable }) => usable)
    .flatMap(({ name, models: ids }) => ids.map((id) => `  ${visibleName(`${name}/${id}`)}`));
  const choice =
    result.default_model === undefined
      ? "No model is usable yet. Set a key (for example ANTHROPIC_API_KEY) or start a local server (Ollama, llama.cpp, LM Studio)."
      : `Without -m: ${visibleName(result.default_model)}`;
  io.stdout.write(`${[...columns(rows), "", choice, ...models].join("\n")}\n`);
  return exitCode.done;
}

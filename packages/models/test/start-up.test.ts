// Importing this package is cheap: a provider's package is loaded by its first request and not before.
import { expect, test } from "bun:test";
import { resolve } from "node:path";

test("the providers' packages are imported only dynamically", async () => {
  const built = await Bun.build({
    entrypoints: [resolve(import.meta.dir, "../src/index.ts")],
    target: "bun",
    external: ["@ai-sdk/*"],
  });
  const imports = new Bun.Transpiler({ loader: "js" }).scanImports((await built.outputs[0]?.text()) ?? "");
  const packages = imports
    .filter(({ path }) => path.startsWith("@ai-sdk/"))
    .map(({ kind, path }) => `${kind} ${path}`);
  expect(packages.toSorted()).toEqual([
    "dynamic-import @ai-sdk/anthropic",
    "dynamic-import @ai-sdk/google",
    "dynamic-import @ai-sdk/openai",
    "dynamic-import @ai-sdk/openai-compatible",
  ]);
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@codelia/protocol";
import { repository } from "../../test/support/codelia.ts";
import { withReference } from "../protocol-page.ts";

const page = readFileSync(join(repository, "docs/protocol.md"), "utf8");

test("the reference of the protocol is the one of the schemas (npm run generate)", () => {
  expect(page).toBe(withReference(page));
});

test("every method has its part in it, with the comments of its members", () => {
  expect(Object.keys(methods).filter((method) => !page.includes(`\n### ${method}\n`))).toEqual([]);
  expect(page).toContain(
    "  // `provider/model`; absent: the configured or the first usable one.\n  model?: string\n",
  );
});

test("the example in it is the one that is run", () => {
  const example = readFileSync(join(repository, "examples/client.ts"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
});

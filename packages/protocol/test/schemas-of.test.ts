import { expect, test } from "bun:test";
import { type Method, methods } from "@codelia/protocol";
import { schemasOf } from "../src/groups/index.ts";

function isMethod(name: string): name is Method {
  return name in methods;
}

test("every method finds its schemas by its own name, the very ones that the table has", async () => {
  for (const name of Object.keys(methods)) {
    if (!isMethod(name)) throw new Error(name);
    const { params, result } = await schemasOf(name);
    expect([name, params === methods[name].params, result === methods[name].result]).toEqual([
      name,
      true,
      true,
    ]);
  }
});

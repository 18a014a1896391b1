import { expect, test } from "bun:test";
import { nodeFileSystem } from "@codelia/storage";
import { evaluate, placeRule } from "../../src/permissions/index.ts";

type Rule = Parameters<typeof placeRule>[0]["rule"];

async function decided(
  allow: readonly Rule[],
  deny: readonly Rule[],
  paths: readonly string[] = [],
): Promise<string> {
  const bases = { root: ["/work"], home: ["/home/me"] };
  const source = { layer: "user" as const };
  const place = (effect: "allow" | "deny") => (rule: Rule) =>
    placeRule({ key: "", effect, rule, source, placeOf: () => source }, bases);
  const access = { kind: "mcp" as const, server: "box", tool: "mcp__box__act", paths, call: "{}" };
  const { decision } = await evaluate(
    { tool: "mcp_call", prepared: { access } },
    [...deny.map(place("deny")), ...allow.map(place("allow"))],
    "in_force",
    { mode: "ask", fs: nodeFileSystem, bases, workspace: "/work", outputs: "/outputs" },
  );
  return decision;
}

test.each<[string, readonly Rule[], readonly Rule[], string]>([
  ["no rule", [], [], "confirm"],
  ["its server", [{ server: "box" }], [], "allow"],
  ["its tool, though another called it", [{ tool: "mcp__box__act" }], [], "allow"],
  ["both", [{ tool: "mcp__box__act", server: "box" }], [], "allow"],
  ["another tool of its server", [{ tool: "mcp__box__echo", server: "box" }], [], "confirm"],
  ["its tool at another server", [{ tool: "mcp__box__act", server: "other" }], [], "confirm"],
  ["the tool that calls any", [{ tool: "mcp_call" }], [], "confirm"],
  ["deny of its server before allow of its tool", [{ tool: "mcp__box__act" }], [{ server: "box" }], "deny"],
  ["deny of the tool that calls any", [{ server: "box" }], [{ tool: "mcp_call" }], "deny"],
  ["deny of another server", [{ server: "box" }], [{ server: "other" }], "allow"],
])("a call of a server's tool, with a rule about %s", async (_, allow, deny, decision) => {
  expect(await decided(allow, deny)).toBe(decision);
});

test.each<[string, readonly Rule[], readonly Rule[], string]>([
  [
    "only paths allow nothing: nobody knows what a server does with them",
    [{ path_glob: "/**" }],
    [],
    "confirm",
  ],
  ["a server with a glob that covers them", [{ server: "box", path_glob: "/data/**" }], [], "allow"],
  ["a server with a glob that does not", [{ server: "box", path_glob: "/other/**" }], [], "confirm"],
  ["a server without a glob, wherever they lead", [{ server: "box" }], [], "allow"],
  ["deny of a path", [{ server: "box" }], [{ path_glob: "/data/*" }], "deny"],
])("paths that a server's tool declares: %s", async (_, allow, deny, decision) => {
  expect(await decided(allow, deny, ["/data/a.txt"])).toBe(decision);
});

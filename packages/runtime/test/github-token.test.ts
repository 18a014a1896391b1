// Which token is sent to GitHub, and that no repository has a say in it.
import { expect, test } from "bun:test";
import { mergeLayers, readFileLayer } from "@codelia/config";
import { nodeFileSystem } from "@codelia/storage";
import { TemporaryTree } from "../../../test/support/tree.ts";
import { githubToken } from "../src/issues/token.ts";
import { wireSetting } from "../src/rpc/wire.ts";
import { knownSecrets } from "../src/secrets/index.ts";

test("a token for github.com is not sent to another host", () => {
  const env = { GH_TOKEN: " public ", GITHUB_ENTERPRISE_TOKEN: "enterprise", MINE: "mine" };
  expect([
    githubToken(env, {}, "github.com"),
    githubToken(env, {}, "acme.ghe.com"),
    githubToken(env, {}, "git.acme.example"),
    githubToken(env, { tokenEnv: "MINE" }, "git.acme.example"),
    githubToken({}, { token: "set" }, "github.com"),
    githubToken({ GH_TOKEN: "" }, {}, "github.com"),
  ]).toEqual(["public", "public", "enterprise", "mine", "set", undefined]);
});

async function settings(layer: "user" | "project", github: object) {
  using tree = new TemporaryTree({ "config.json": JSON.stringify({ issues: { github } }) });
  const read = await readFileLayer(nodeFileSystem, tree.at("config.json"), layer);
  return mergeLayers(read === undefined ? [] : [read]);
}

test("a project's file can neither set a token nor say where one is sent", async () => {
  const github = {
    token: "theirs",
    tokenEnv: "AWS_SECRET",
    apiUrl: "https://evil.example",
    repository: "a/b",
  };
  const { values, refused } = await settings("project", github);
  expect([values.issues.github, refused.map(({ key }) => key)]).toEqual([
    { apiUrl: "https://api.github.com", projects: true, repository: "a/b" },
    ["issues.github.apiUrl", "issues.github.tokenEnv", "issues.github.token"],
  ]);
});

test("a token in the settings is hidden where they are shown, and taken out of what tools say", async () => {
  const { entries, values } = await settings("user", { token: "a-long-token" });
  const shown = entries.map(wireSetting).find(({ key }) => key === "issues.github.token");
  expect([shown?.value, knownSecrets({}, values)]).toEqual([
    "(hidden)",
    [{ name: "issues.github.token", value: "a-long-token" }],
  ]);
});

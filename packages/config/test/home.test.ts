import { expect, test } from "bun:test";
import { codeliaHome, userConfigFiles } from "@codelia/config";

test.each([
  ["nothing is set", {}, "/home/u/.codelia", ["/home/u/.codelia/config.json"]],
  ["CODELIA_HOME is set", { CODELIA_HOME: "/data", XDG_CONFIG_HOME: "/xdg" }, "/data", ["/data/config.json"]],
  [
    "XDG_CONFIG_HOME is set",
    { XDG_CONFIG_HOME: "/xdg" },
    "/home/u/.codelia",
    ["/xdg/codelia/config.json", "/home/u/.codelia/config.json"],
  ],
  [
    "XDG_CONFIG_HOME is relative",
    { XDG_CONFIG_HOME: "xdg" },
    "/home/u/.codelia",
    ["/home/u/.codelia/config.json"],
  ],
])("the user's files when %s", (_, env, home, files) => {
  const options = { env, userHome: "/home/u" };
  expect([codeliaHome(options), userConfigFiles(options)]).toEqual([home, files]);
});

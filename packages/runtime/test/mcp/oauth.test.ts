import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { browse, startAuthorisedServer } from "./authorised-server.ts";
import { McpScene } from "./mcp-scene.ts";

/** Logs in as a person would. @output the answers of the pages that the browser ended at */
async function login(scene: McpScene, meanwhile?: (callback: string) => Promise<number>) {
  const statuses: number[] = [];
  let browsing = Promise.resolve();
  const result = await scene.client().call(
    "mcp.login",
    { cwd: scene.cwd, name: "web" },
    {
      emit: (event) => {
        const address = event.type === "run.notice" ? (event.text.split("\n")[1] ?? "") : "";
        browsing = (async () => {
          const callback = new URL(address).searchParams.get("redirect_uri") ?? "";
          if (meanwhile !== undefined) statuses.push(await meanwhile(callback));
          statuses.push(await browse(address));
        })();
      },
    },
  );
  await browsing;
  return { result, statuses };
}

describe("OAuth with a real authorisation server", () => {
  test("login by code and PKCE, calls, a refresh when the token expired, and a word when that fails", async () => {
    await using server = await startAuthorisedServer();
    using scene = new McpScene();
    scene.configure({ web: { url: server.url } });
    const before = await scene.approve("web").catch((error: unknown) => String(error));
    const { result, statuses } = await login(scene, async (callback) => {
      // Somebody else's page sends the browser here: it knows no state, and is not heard.
      return (await fetch(`${callback}?code=forged&state=forged`)).status;
    });
    expect([before, result, statuses]).toEqual([
      "ProtocolError: MCP server web: it wants a login",
      { name: "web", needed: true },
      [404, 200],
    ]);

    await scene.approve("web");
    const first = await scene.run([["mcp__web__whoami", {}]]);
    const firstToken = server.lastToken();
    server.expire(firstToken);
    const second = await scene.run([["mcp__web__whoami", {}]]);
    const secondToken = server.lastToken();
    expect([first.outputs, second.outputs, firstToken === secondToken]).toEqual([
      ["token [redacted: login of web]"],
      ["token [redacted: login of web]"],
      false,
    ]);

    server.expire(secondToken);
    server.refuseRefresh();
    const third = await scene.run([
      ["mcp__web__whoami", {}],
      ["mcp_search", { query: "whoami", limit: 1 }],
    ]);
    expect([third.status, third.outputs[0], third.outputs[1]?.includes("whoami")]).toEqual([
      "done",
      "MCP server web: it wants a login. Log in with: codelia mcp login web",
      true,
    ]);
  });

  test("tokens are the user's alone, and gone after a logout", async () => {
    await using server = await startAuthorisedServer();
    using scene = new McpScene();
    scene.configure({ web: { url: server.url } });
    await login(scene);
    const folder = scene.tree.at("home/.codelia/mcp/logins");
    const [file = ""] = readdirSync(folder);
    const mode = (statSync(`${folder}/${file}`).mode & 0o777).toString(8);
    const folderMode = (statSync(folder).mode & 0o777).toString(8);
    const holdsToken = /"access_token":"[^"]+"/.test(readFileSync(`${folder}/${file}`, "utf8"));
    const listed = await scene.client().call("mcp.list", { cwd: scene.cwd });
    const logout = await scene.client().call("mcp.logout", { cwd: scene.cwd, name: "web" });
    expect([mode, folderMode, holdsToken, listed.servers[0]?.logged_in, logout, readdirSync(folder)]).toEqual(
      ["600", "700", true, true, { name: "web", changed: true }, []],
    );
  });

  test("a login that nobody finishes ends, and says so", async () => {
    await using server = await startAuthorisedServer();
    using scene = new McpScene();
    scene.configure({ web: { url: server.url } });
    const failure = await scene
      .client()
      .call("mcp.login", { cwd: scene.cwd, name: "web", timeout_seconds: 0.1 })
      .catch((error: unknown) => String(error));
    expect(failure).toBe("ProtocolError: MCP server web: nobody came back from the browser within 0.1 s");
  });
});

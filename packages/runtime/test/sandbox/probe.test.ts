import { describe, expect, test } from "bun:test";
import { probeSandbox } from "../../src/sandbox/index.ts";
import { createHostList, isLocalAddress } from "../../src/sandbox/network/host-list.ts";
import { startProxy } from "../../src/sandbox/network/proxy.ts";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

test("where the system has no sandbox it says so and what to do", async () => {
  expect(await probeSandbox({ platform: "win32", workspace: "/w", path: undefined })).toEqual({
    works: false,
    reason: "there is no sandbox for win32",
    fix: "Use Linux, macOS or WSL 2, or approve each command.",
  });
});

test("nothing is tried before a command asks, and a session without commands leaves no trace", async () => {
  const scene = new SandboxScene({ "work/.codelia": { link: "x" } });
  await scene.sandbox.dispose();
  expect((await scene.sandbox.state()).inForce).toBe(false);
});

describe("granted hosts", () => {
  const hosts = createHostList(["example.org", "*.example.net", "registry.test:8443"]);

  test.each([
    ["example.org", 443, true],
    ["EXAMPLE.org.", 80, true],
    ["example.org", 22, false],
    ["sub.example.org", 443, false],
    ["notexample.org", 443, false],
    ["a.b.example.net", 443, true],
    ["example.net", 443, false],
    ["example.net.evil.org", 443, false],
    ["registry.test", 8443, true],
    ["registry.test", 443, false],
    ["", 443, false],
  ])("%s on port %d: %p", (host, port, expected) => {
    expect(hosts.allows(host, port)).toBe(expected);
  });

  test("addresses of this machine and of its cloud are told apart from others", () => {
    const local = [
      "127.0.0.1",
      "127.8.8.8",
      "0.0.0.0",
      "169.254.169.254",
      "::1",
      "::",
      "fe80::1",
      "::ffff:127.0.0.1",
      "fd00:ec2::254",
      "168.63.129.16",
      "192.168.1.7",
    ];
    const others = ["10.1.2.3", "192.168.1.1", "93.184.216.34", "2606:2800::1", "fd00::1"];
    expect([...local, ...others].filter((address) => isLocalAddress(address, ["192.168.1.7"]))).toEqual(
      local,
    );
  });

  test.each(["127.0.0.1", "192.0.2.77"])(
    "a granted name that leads to this machine is refused: %s",
    async (address) => {
      const proxy = await startProxy({
        allowHosts: ["rebound.test"],
        listen: "loopback",
        resolve: () => Promise.resolve(address),
        own: () => ["127.0.0.1", "192.0.2.77"],
      });
      const answer = await fetch("http://rebound.test/", { proxy: `http://127.0.0.1:${proxy.port ?? 0}` });
      const said = [answer.status, await answer.text()];
      await proxy.close();
      expect(said).toEqual([403, `codelia: rebound.test leads to the local address ${address}\n`]);
    },
  );
});

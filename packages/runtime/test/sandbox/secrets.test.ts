import { describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

const canary = "canary-9d1f";

describe("what no command can read", () => {
  test.each([
    ".ssh/id_ed25519",
    ".gnupg/key",
    ".aws/credentials",
    ".config/gh/hosts.yml",
    ".netrc",
    ".npmrc",
    ".docker/config.json",
    ".kube/config",
    ".codelia/config.json",
    ".claude/settings.json",
    ".codex/auth.json",
    ".env",
  ])("~/%s", async (name) => {
    const scene = new SandboxScene({ [`home/${name}`]: `${canary}\n` });
    const output = await scene.bash(
      `cat ~/${name}; cat ${scene.at("home", name)}; cat /proc/1/root${scene.at("home", name)}; cat /proc/self/root${scene.at("home", name)}; ` +
        `cp -r ~ copy; grep -r ${canary} copy ~; echo done`,
    );
    expect([output.endsWith("done\nexit code 0\n"), output.includes(canary)]).toEqual([true, false]);
  });

  test("a key file behind a link, and a file named in the settings", async () => {
    const scene = new SandboxScene(
      { "vault/key": canary, "home/.netrc": { link: "../vault/key" }, "home/private/notes": canary },
      { settings: { hiddenPaths: ["~/private"] } },
    );
    const output = await scene.bash(`cat ~/.netrc ../vault/key ~/private/notes; ls ~/private; echo done`);
    expect([
      output.endsWith("done\nexit code 0\n"),
      output.includes(canary),
      output.includes("notes\n"),
    ]).toEqual([true, false, false]);
  });

  test("an .env file above the workspace; the workspace's own is the project's", async () => {
    const scene = new SandboxScene({ ".env": canary, "work/.env": "mine\n" });
    expect(await scene.bash("cat ../.env .env")).toBe("mine\nexit code 0\n");
  });

  test("the environment and the files of a process outside", async () => {
    const scene = new SandboxScene({});
    const outside = spawn("sleep", ["1000"], { env: { SECRET: canary }, stdio: "ignore" });
    try {
      await once(outside, "spawn");
      const output = await scene.bash(
        `cat /proc/${outside.pid}/environ; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc/${outside.pid}/root; kill -9 ${outside.pid}; echo done`,
      );
      expect([output.endsWith("done\nexit code 0\n"), output.includes(canary), outside.exitCode]).toEqual([
        true,
        false,
        null,
      ]);
    } finally {
      outside.kill("SIGKILL");
    }
  });
});

test("variables that name a socket of the user's do not reach a command, and the socket is not there", async () => {
  const scene = new SandboxScene({ "agent/": "" }, { env: { SSH_AUTH_SOCK: "", DOCKER_HOST: "tcp://x" } });
  const path = scene.at("agent/socket");
  const server = createServer((socket) => socket.end(canary)).listen(path);
  await once(server, "listening");
  try {
    const session = new SandboxScene(
      {},
      { env: { SSH_AUTH_SOCK: path, PATH: `${scene.at("bin")}:${process.env.PATH}` } },
    );
    expect(
      await session.bash(
        `echo "[$SSH_AUTH_SOCK$DOCKER_HOST]"; [ -S ${path} ] || echo gone; socat -u UNIX-CONNECT:${path} - 2>/dev/null || echo refused`,
      ),
    ).toBe("[]\ngone\nrefused\nexit code 0\n");
  } finally {
    server.close();
  }
});

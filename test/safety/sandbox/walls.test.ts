import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { makeRepository } from "../../../packages/runtime/test/sandbox/git-repository.ts";
import { type Outcome, SafetyScene, type SceneRun } from "../scene.ts";

const mark = `codelia-canary-${process.pid}-${Date.now()}`;

/** One run with full approval makes all attempts; what became of each is looked at from outside. */
function attempts(made: SafetyScene, commands: Readonly<Record<string, string>>, options: SceneRun = {}) {
  const names = Object.keys(commands);
  const outcomes = new Map<string, Outcome | undefined>();
  beforeAll(async () => {
    const run = await made.run(
      Object.values(commands).map((command) => ["bash", { command, timeout_s: 60 }]),
      options,
    );
    for (const [index, name] of names.entries()) outcomes.set(name, run.outcomes[index]);
  });
  afterAll(() => made[Symbol.dispose]());
  return { names, outputOf: (name: string) => outcomes.get(name)?.output ?? "it was not run" };
}

describe("a command does not write", () => {
  const made = new SafetyScene({
    "home/plain.txt": "plain\n",
    "outside/plain.txt": "plain\n",
    "repo/file-link": { link: "../outside/plain.txt" },
    "repo/folder-link": { link: "../outside" },
  });
  const targets = {
    "next to the workspace": "../new.txt",
    "in the home directory": "~/new.txt",
    "over a file of the user": "~/plain.txt",
    "through a link to a file": "file-link",
    "through a link to a folder": "folder-link/new.txt",
    "through /proc/1/root": `/proc/1/root${made.at("outside/new.txt")}`,
    "through /proc/self/cwd": "/proc/self/cwd/../new.txt",
    "in /etc": `/etc/${mark}`,
    "in /usr/local/bin": `/usr/local/bin/${mark}`,
    "in /dev/shm of the machine": `/dev/shm/${mark}`,
    "in /run": `/run/${mark}`,
    "in /tmp of the machine": `/tmp/${mark}`,
    "in /var/tmp of the machine": `/var/tmp/${mark}`,
  };
  const commands = Object.fromEntries(
    Object.entries(targets).map(([name, target]) => [name, `echo evil > ${target}`]),
  );
  const { names } = attempts(made, {
    ...commands,
    "through a second name of a file": "ln ~/plain.txt second && echo evil > second",
    // In mounts of its own: were there no sandbox, the machine's would stay as they are.
    "by mounting anew": "unshare -rm sh -c 'mount -o remount,rw /; echo evil > ~/new.txt'",
    "by moving the workspace": `mv ../repo ../moved`,
  });

  test.each(names)("%s", () => {
    const host = ["/etc", "/usr/local/bin", "/dev/shm", "/run", "/tmp", "/var/tmp"].map(
      (folder) => `${folder}/${mark}`,
    );
    expect([
      host.filter((path) => existsSync(path)),
      [made.text("home/plain.txt"), made.text("outside/plain.txt")],
      readdirSync(made.at("outside")),
      readdirSync(made.at("home")).filter((name) => !name.startsWith(".")),
      readdirSync(made.path).toSorted(),
    ]).toEqual([
      [],
      ["plain\n", "plain\n"],
      ["plain.txt"],
      ["plain.txt"],
      ["bin", "home", "outside", "repo", "script.json"],
    ]);
  });
});

describe("a command does not change what runs or counts next time:", () => {
  const made = new SafetyScene({ "repo/a.txt": "a\n", "repo/.codelia/config.json": "{}\n" });
  makeRepository(made.at("repo"));
  const { names } = attempts(made, {
    "an existing hook folder": "echo evil > .git/hooks/pre-commit",
    "the git config": "git config core.fsmonitor evil; echo evil >> .git/config",
    "the git config by another file": "echo evil > x && mv -f x .git/config",
    "the git directory by another one": "mv .git old; cp -r old .git; ln -sfn old .git",
    commondir: "echo /elsewhere > .git/commondir",
    "config.worktree": "echo evil > .git/config.worktree",
    "the settings": "echo evil > .codelia/config.json; rm -rf .codelia",
    "skills that are not there": "mkdir -p .agents/skills/evil; echo evil > .agents/x",
    "skills by a link": "ln -s /elsewhere .agents",
    "by mounts of its own": "unshare -rm sh -c 'umount .codelia; echo evil > .codelia/config.json'",
  });

  test.each(names)("%s", () => {
    expect([
      existsSync(made.at("repo/.git/hooks/pre-commit")),
      /evil/.test(made.text("repo/.git/config")),
      made.text("repo/.codelia/config.json"),
      ["commondir", "config.worktree"].filter((name) => existsSync(made.at("repo/.git", name))),
      readdirSync(made.at("repo"))
        .filter((name) => name.startsWith("."))
        .toSorted(),
    ]).toEqual([false, false, "{}\n", [], [".codelia", ".git"]]);
  });
});

describe("a command reads no", () => {
  const keyFiles = [
    ".ssh/id_ed25519",
    ".gnupg/private-keys-v1.d/key",
    ".aws/credentials",
    ".config/gcloud/credentials.db",
    ".config/gh/hosts.yml",
    ".kube/config",
    ".netrc",
    ".npmrc",
    ".git-credentials",
    ".docker/config.json",
    ".env",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".local/share/opencode/auth.json",
    ".bash_history",
    ".codelia/trust/x",
    ".codelia/config.json",
    ".config/codelia/config.json",
    "xdg/codelia/config.json",
  ];
  const settings = '{"models": {"providers": {"x": {"kind": "openai", "apiKey": "CANARY"}}}}';
  const made = new SafetyScene({
    "home/plain.txt": "plain\n",
    ".env": "CANARY\n",
    ...Object.fromEntries(
      keyFiles.map((name) => [`home/${name}`, name.endsWith("codelia/config.json") ? settings : "CANARY\n"]),
    ),
    "repo/ssh-link": { link: "../home/.ssh" },
  });
  const { names, outputOf } = attempts(
    made,
    {
      "ordinary file differently than before": "cat ~/plain.txt",
      ...Object.fromEntries(
        keyFiles.map((name) => [`~/${name}`, `cat ~/${name}; cp ~/${name} copy; cat copy`]),
      ),
      ".env above the workspace": "cat ../.env",
      "key through a link": "cat ssh-link/id_ed25519",
      "key through /proc": "cat /proc/1/root$HOME/.ssh/id_ed25519 /proc/self/root$HOME/.netrc",
      "key by a search": "grep -rs --exclude=script.json CANARY ~ ..",
      "password of the machine": "grep -q : /etc/shadow && echo CANARY",
    },
    { env: { XDG_CONFIG_HOME: made.at("home/xdg") } },
  );

  test.each(names.slice(1))("%s", (name) => {
    expect([outputOf(names[0] ?? ""), outputOf(name).includes("CANARY")]).toEqual([
      "plain\nexit code 0\n",
      false,
    ]);
  });
});

describe("the kernel's settings", () => {
  const made = new SafetyScene({});
  // Opened without a word being written: were there no wall, the machine would stay as it is.
  const { outputOf } = attempts(made, {
    all: "find /proc/sys -type f -perm /222 | while read f; do (exec 9>> $f) 2> /dev/null && echo OPEN $f; done",
    readable: "cat /proc/sys/kernel/ostype",
  });

  test("cannot be opened for writing, which root could by its user id alone; they can be read", () => {
    expect([outputOf("all").includes("OPEN"), outputOf("readable")]).toEqual([false, "Linux\nexit code 0\n"]);
  });
});

describe("the network", () => {
  const made = new SafetyScene({});
  let server: Server;
  let count = 0;
  const socket = made.at("outside.sock");
  const services: Server[] = [];

  async function listen(where: number | string): Promise<Server> {
    const service = createServer((connection) => {
      count += 1;
      connection.end("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nCANARY");
    });
    await new Promise<void>((resolve) => service.listen(where, resolve));
    services.push(service);
    return service;
  }

  function portOf(listening: Server): number {
    const address = listening.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  beforeAll(async () => {
    server = await listen(0);
    writeFileSync(made.at("home/port"), String(portOf(server)));
  });
  afterAll(() => {
    for (const service of services) service.close();
    made[Symbol.dispose]();
  });

  const connect = (host: string) =>
    `exec 3<>/dev/tcp/${host}/$(cat ~/port) && echo connected; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;

  test.each(["127.0.0.1", "localhost", "::1", "0.0.0.0", "$(hostname -i | cut -d' ' -f1)"])(
    "is not reached: %s",
    async (host) => {
      const before = count;
      const output = await made.bash(connect(host));
      expect([/connected|CANARY/.test(output), count]).toEqual([false, before]);
    },
  );

  test("a granted host is reached through the proxy alone, and no other host", async () => {
    const port = portOf(server);
    const viaProxy = (target: string) =>
      `p=\${http_proxy#http://}; exec 3<>/dev/tcp/\${p%:*}/\${p#*:}; printf 'GET http://${target}/ HTTP/1.1\\r\\nHost: ${target}\\r\\nConnection: close\\r\\n\\r\\n' >&3; timeout 20 cat <&3 | tr -d '\\r' | head -n 1; exec 3>&-`;
    const before = count;
    const output = await made.bash(
      [viaProxy(`localhost:${port}`), viaProxy(`127.0.0.1:${port}`), connect("127.0.0.1")].join("; "),
      { args: ["-c", `sandbox.network.allowHosts=["localhost:${port}"]`] },
    );
    const statuses = output.split("\n").filter((line) => line.startsWith("HTTP/1.1"));
    expect([
      statuses.map((line) => line.split(" ")[1]),
      count - before,
      output.includes("connected"),
    ]).toEqual([["200", "403"], 1, false]);
  });

  test("a socket below a folder that commands do not see is not reached", async () => {
    await listen(socket);
    expect(existsSync(socket)).toBe(true);
    const before = count;
    await made.bash(`socat -T 5 - UNIX-CONNECT:${socket} </dev/null`, {
      args: ["-c", `sandbox.hiddenPaths=["${socket}"]`],
    });
    expect(count).toBe(before);
  });
});

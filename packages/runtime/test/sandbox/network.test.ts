import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:net";
import { endScenesAfterEachTest, SandboxScene } from "./sandbox-scene.ts";

endScenesAfterEachTest();

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A port of this machine that counts who came. */
async function canaryPort(): Promise<{ port: number; visitors: string[] }> {
  const visitors: string[] = [];
  const server = createHttpServer((request, response) => {
    visitors.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.end("reached\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  const address = server.address();
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, visitors };
}

const request = (method: string, target: string) =>
  `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${method} ${target} HTTP/1.1\\r\\nhost: x\\r\\nconnection: close\\r\\n\\r\\n' >&3; timeout 20 cat <&3`;

describe("without a grant there is no network", () => {
  test("a port of this machine is not reached", async () => {
    const scene = new SandboxScene({});
    const { port, visitors } = await canaryPort();
    expect([
      await scene.bash(`(echo hi > /dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo closed`),
      visitors,
    ]).toEqual(["closed\nexit code 0\n", []]);
  });

  test("there is a loopback of its own, on which a server and its client meet", async () => {
    const scene = new SandboxScene({});
    expect(
      await scene.bash(
        "socat TCP-LISTEN:8080,reuseaddr EXEC:'echo hello' & for i in {1..500}; do cat 2>/dev/null < /dev/tcp/127.0.0.1/8080 && break; sleep 0.01; done",
      ),
    ).toBe("hello\nexit code 0\n");
  });

  test("an abstract socket of this machine is not reached", async () => {
    const scene = new SandboxScene({});
    const name = `codelia-test-${process.pid}-${Date.now()}`;
    const server = Bun.spawn(["socat", `ABSTRACT-LISTEN:${name},fork`, "EXEC:echo reached"], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    try {
      const ask = `for i in {1..100}; do socat -u ABSTRACT-CONNECT:${name} - 2>/dev/null && break; sleep 0.02; done`;
      const outside = Bun.spawnSync(["bash", "-c", ask]).stdout.toString();
      const inside = await scene.bash(`socat -u ABSTRACT-CONNECT:${name} - 2>/dev/null || echo closed`);
      expect([outside, inside]).toEqual(["reached\n", "closed\nexit code 0\n"]);
    } finally {
      server.kill();
      await server.exited;
    }
  });

  test("sockets of services and of other programs are not there", async () => {
    const scene = new SandboxScene({ "elsewhere/": "" });
    const socket = `${process.env.TMPDIR ?? "/tmp"}/codelia-test-${process.pid}.sock`;
    const server = createServer((one) => one.end("reached")).listen(socket);
    await once(server, "listening");
    servers.push(server);
    expect(
      await scene.bash(
        `[ -e ${socket} ] || echo no socket; ls -A /run; [ -e /var/run/docker.sock ] || [ -e /run/dbus ] || echo no services`,
      ),
    ).toBe("no socket\nno services\nexit code 0\n");
  });
});

describe("granted hosts", () => {
  test("a granted host is reached through the proxy, by HTTP and by a tunnel; no other host and no other port is", async () => {
    const { port, visitors } = await canaryPort();
    const other = await canaryPort();
    const scene = new SandboxScene(
      {},
      { settings: { network: { allowHosts: [`localhost:${port}`, "granted.invalid"] } } },
    );
    const plain = await scene.bash(request("GET", `http://localhost:${port}/page?x=1`));
    const tunnel = await scene.bash(
      `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT localhost:${port} HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; echo "$line"; read -r line <&3; ` +
        "printf 'GET /tunnel HTTP/1.1\\r\\nhost: y\\r\\nconnection: close\\r\\n\\r\\n' >&3; timeout 20 cat <&3 | tail -n 1",
    );
    const refused = await Promise.all([
      scene.bash(request("GET", `http://localhost:${other.port}/`)),
      scene.bash(request("CONNECT", `localhost:${other.port}`)),
      scene.bash(request("CONNECT", "example.org:443")),
      scene.bash(request("CONNECT", "granted.invalid:22")),
    ]);
    const direct = await scene.bash(`(echo hi > /dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo closed`);
    expect([
      plain.includes("reached"),
      tunnel.replaceAll("\r", ""),
      refused.map((answer) => answer.split("\r\n")[0]?.split("\n")[0]),
      direct,
      visitors,
      other.visitors,
    ]).toEqual([
      true,
      "HTTP/1.1 200 Connection Established\nreached\nexit code 0\n",
      Array.from({ length: 4 }, () => "HTTP/1.1 403 Forbidden"),
      "closed\nexit code 0\n",
      [`GET localhost:${port} /page?x=1`, "GET y /tunnel"],
      [],
    ]);
  });

  test("programs are told of the proxy by the usual variables", async () => {
    const scene = new SandboxScene({}, { settings: { network: { allowHosts: ["example.org"] } } });
    expect(await scene.bash("echo $HTTPS_PROXY $http_proxy $NO_PROXY")).toBe(
      "http://127.0.0.1:3128 http://127.0.0.1:3128 localhost,127.0.0.1,::1\nexit code 0\n",
    );
  });
});

// The walls, in the order in which they are shown.
import { existsSync } from "node:fs";
import { mkdir, readlink, rm, rmdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { protectedPaths } from "../sandbox/index.ts";
import type { Trial, TrialResult } from "./trial.ts";

const writesOutside: Trial = {
  name: "writes outside the workspace",
  async run({ options, mark, inside }) {
    const canaries = [options.userHome, "/var/lib"].map((folder) => join(folder, `.codelia-canary-${mark}`));
    await inside(canaries.map((path) => `echo x > ${quoted(path)}`).join("; "));
    const written = canaries.filter((path) => existsSync(path));
    await Promise.all(written.map((path) => rm(path, { force: true })));
    return verdict(
      written.length === 0,
      `tried to write ${canaries.join(" and ")}`,
      `${written.join(" and ")} was written`,
    );
  },
};

const protectedNames: Trial = {
  name: "protected names in the workspace",
  async run({ options: { fs, workspace }, mark, inside }) {
    const real = (await fs.realPath(workspace)) ?? workspace;
    const { rules } = await protectedPaths(fs, real, real);
    const kept = rules.filter(({ access }) => access === "read");
    const attempts = kept.map(({ path, kind }) => {
      // A file is opened for appending and not written to.
      const target = quoted(kind === "directory" ? join(path, `canary-${mark}`) : path);
      return `{ : >> ${target}; } 2>/dev/null && { echo ${quoted(path)}; ${kind === "directory" ? `rm ${target};` : ""} }`;
    });
    const said = await inside(`${attempts.join("; ")}; echo tried`);
    const names = kept.map(({ path }) => relative(real, path)).join(", ");
    return verdict(
      said === "tried\n",
      `tried to write to ${names}`,
      `written: ${said?.replaceAll("\n", " ")}`,
    );
  },
};

const secrets: Trial = {
  name: "keys and other agents' homes",
  async run({ options, mark, inside }) {
    const { codeliaHome } = options;
    const made = await mkdir(codeliaHome, { recursive: true, mode: 0o700 });
    const canary = join(codeliaHome, `canary-${mark}`);
    await writeFile(canary, mark, { mode: 0o600 });
    const ways = [canary, `/proc/self/root${canary}`, `/proc/1/root${canary}`];
    const said = await inside(`cat ${ways.map(quoted).join(" ")}`);
    await rm(canary, { force: true });
    if (made === codeliaHome) await rmdir(codeliaHome);
    return verdict(
      said?.includes(mark) === false,
      `tried to read ${canary}, also through /proc`,
      "it was read",
    );
  },
};

const network: Trial = {
  name: "network",
  async run({ inside }) {
    let visitors = 0;
    const server = createServer((socket) => {
      visitors += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await inside(`echo x > /dev/tcp/127.0.0.1/${port}`);
    await new Promise((resolve) => server.close(resolve));
    return verdict(visitors === 0, `tried to reach port ${port} of this machine`, "it was reached");
  },
};

const sockets: Trial = {
  name: "sockets of services",
  async run({ mark, inside }) {
    const path = join(tmpdir(), `codelia-${mark}.sock`);
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const said = await inside(
      `for s in ${quoted(path)} /run/dbus/system_bus_socket /run/docker.sock /var/run/docker.sock; do [ -S "$s" ] && echo "$s"; done`,
    );
    await new Promise((resolve) => server.close(resolve));
    return verdict(
      said === "",
      `looked for ${path}, D-Bus and Docker`,
      `found ${said?.trim().replaceAll("\n", ", ")}`,
    );
  },
};

const processes: Trial = {
  name: "other processes",
  async run({ inside }) {
    const [own, inner] = [
      await readlink("/proc/self/ns/pid"),
      (await inside("readlink /proc/self/ns/pid"))?.trim(),
    ];
    const holds = inner?.startsWith("pid:[") === true && inner !== own;
    return verdict(holds, "compared the process namespaces", "commands see the processes of this machine");
  },
};

const privileges: Trial = {
  name: "no new privileges",
  async run({ inside }) {
    const said = await inside("grep -E '^(NoNewPrivs|CapEff):' /proc/self/status | tr -d '\\t\\n'");
    const holds = said === "CapEff:0000000000000000NoNewPrivs:1";
    return verdict(holds, "read /proc/self/status of a command", `it says ${said}`);
  },
};

const limits: Trial = {
  name: "resource limits",
  async run({ options, inside }) {
    const { processes: most, openFiles, fileSizeMiB } = options.settings.limits;
    const said = (await inside("echo $(ulimit -Hu) $(ulimit -Hn) $(ulimit -Hf)"))
      ?.trim()
      .split(" ")
      .map(Number);
    const wanted = [most, openFiles, fileSizeMiB * 1024];
    const holds = said?.length === 3 && wanted.every((limit, index) => (said[index] ?? Number.NaN) <= limit);
    const root = options.isRoot ? "; root is exempt from the number of processes" : "";
    return verdict(
      holds,
      `at most ${most} processes, ${openFiles} open files, files of ${fileSizeMiB} MiB${root}`,
      `found ${said?.join(" ")}`,
    );
  },
};

const leftovers: Trial = {
  name: "nothing outlives a command",
  async run({ inside }) {
    // Whoever lives on keeps the output open.
    const said = await inside("sleep 300 & setsid sleep 300 & echo begun");
    return verdict(said === "begun\n", "left two processes behind, and saw them end", "they went on");
  },
};

/** On macOS there are no namespaces and no /proc: what they give is not promised there. */
export function trialsFor(platform: NodeJS.Platform): Trial[] {
  const everywhere = [writesOutside, protectedNames, secrets, network];
  return platform === "linux"
    ? [...everywhere, sockets, processes, privileges, limits, leftovers]
    : [...everywhere, limits];
}

function verdict(holds: boolean, tried: string, otherwise: string): TrialResult {
  return { holds, how: holds ? tried : `${tried}: ${otherwise}` };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

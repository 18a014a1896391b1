// Frames as bad clients send them: random, damaged, and well-formed ones with wrong content.
import { methods } from "@codelia/protocol";
import type { Random } from "../safety/fuzz/random.ts";

export interface FramePlace {
  /** A project that is trusted, and a script whose model only talks. */
  readonly cwd: string;
  readonly script: string;
}

const encoder = new TextEncoder();

type Params = Readonly<Record<string, unknown>>;

/** Methods that change nothing wherever they are called (damaged frames may name any place), with sound parameters. */
const looking: Readonly<Record<string, (cwd: string, random: Random) => Params>> = {
  "context.inspect": (cwd) => ({ cwd, include_skills: true, path: "sub/x" }),
  "agents.resolve": (cwd) => ({ cwd, path: "a.txt" }),
  "agents.tree": (cwd) => ({ cwd }),
  "config.inspect": (cwd) => ({ cwd }),
  "trust.list": () => ({}),
  "run.steer": () => ({ run_id: "x", text: "y" }),
  "run.cancel": () => ({ run_id: "x" }),
  "session.list": (cwd, random) => ({ cwd, all: random.chance(0.5), limit: 1 + random.below(5) }),
  "session.open": (cwd) => ({ cwd }),
  "session.export": (cwd, random) => ({ cwd, format: random.pick(["md", "html", "json", "text"]) }),
  "session.history": (cwd, random) => ({ cwd, limit: 1 + random.below(30) }),
  "session.search": (cwd) => ({ cwd, text: "said", all: false, limit: 3 }),
  "skills.list": (cwd) => ({ cwd }),
  "skills.search": (cwd) => ({ cwd, query: "x" }),
  "skills.show": (cwd) => ({ cwd, name: "none" }),
  "permissions.list": (cwd) => ({ cwd }),
  "permissions.check": (cwd, random) => ({
    cwd,
    approval: "ask",
    call: { kind: "skill", name: random.pick(hostileTexts) },
  }),
};

const hostileTexts = [
  "",
  "\u0000",
  "../../../../etc/passwd",
  "\ud800",
  "\u001b[2J",
  "__proto__",
  "constructor",
  "s1",
  "x".repeat(5000),
  "日本語",
  "1.1",
];

/** @output one frame without its line end; it may hold some nevertheless */
export function frame(random: Random, place: FramePlace): Uint8Array {
  const kind = random.next();
  if (kind < 0.1) return randomBytes(random);
  if (kind < 0.18) return encoder.encode(JSON.stringify(randomValue(random, 0)));
  if (kind < 0.22) return encoder.encode(shape(random));
  const text = JSON.stringify(message(random, place));
  if (kind < 0.6) return encoder.encode(text);
  return damaged(encoder.encode(text), random);
}

function randomBytes(random: Random): Uint8Array {
  const bytes = new Uint8Array(random.below(200));
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = random.below(256);
  return bytes;
}

/** Large or deep, and cheap to make. */
function shape(random: Random): string {
  const size = random.below(random.chance(0.05) ? 200_000 : 2000);
  return random.pick([
    () => "[".repeat(size),
    () => `{"a":`.repeat(size),
    () => `[${"{},".repeat(size)}{}]`,
    () => `"${"x".repeat(size)}"`,
    () => `{"jsonrpc":"2.0","id":1,"method":"trust.list","params":${"[".repeat(size)}${"]".repeat(size)}}`,
    () => "9".repeat(size),
    () => " ".repeat(size),
    () => "\\u0000".repeat(size),
    () => "\n".repeat(Math.min(size, 50)),
  ])();
}

function message(random: Random, place: FramePlace): unknown {
  const jsonrpc = random.chance(0.95) ? "2.0" : randomValue(random, 2);
  const kind = random.next();
  if (kind < 0.06) return [message(random, place)];
  if (kind < 0.14) return { jsonrpc, id: answerId(random), result: randomValue(random, 1) };
  if (kind < 0.2) return { jsonrpc, id: answerId(random), error: { code: random.below(9), message: "no" } };
  if (kind < 0.28) return { jsonrpc, method: "$/cancel", params: { id: someId(random) } };
  if (kind < 0.34) return { jsonrpc, method: random.pick(Object.keys(methods)), params: {} };
  if (kind < 0.38) return { jsonrpc, id: someId(random), method: random.pick(hostileTexts), params: {} };
  if (kind < 0.4)
    return { jsonrpc, id: someId(random), method: "run.start", params: runParams(random, place) };
  const [method, sound] = random.pick(Object.entries(looking));
  return { jsonrpc, id: someId(random), method, params: params(sound(place.cwd, random), random) };
}

function someId(random: Random): unknown {
  return random.chance(0.9)
    ? random.below(random.chance(0.1) ? 5 : 100_000)
    : random.pick([null, "a", 1.5, {}, true, "x".repeat(300)]);
}

function answerId(random: Random): unknown {
  return random.pick(["s1", "s2", 1, null, "c1", `s${random.below(1000)}`]);
}

function runParams(random: Random, { cwd, script }: FramePlace): unknown {
  return {
    cwd,
    prompt: random.pick(["go", ...hostileTexts]),
    images: [],
    approval: "ask",
    compact: true,
    model: `scripted/${script}`,
    ...(random.chance(0.2) ? { session: { how: "continue" } } : {}),
  };
}

/** Mostly as they are, else with one that is something else. */
function params(sound: Params, random: Random): unknown {
  if (random.chance(0.6)) return sound;
  return { ...sound, [random.pick([...Object.keys(sound), "more"])]: randomValue(random, 1) };
}

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 3 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1.5, 1e308, 2 ** 53, random.below(1000)]);
  if (kind <= 4) return random.pick(hostileTexts);
  const members = Array.from({ length: random.below(5) }, () => randomValue(random, depth + 1));
  if (kind === 5) return members;
  return Object.fromEntries(
    members.map((member) => [
      random.pick(["jsonrpc", "id", "method", "params", "result", "error", ...hostileTexts]),
      member,
    ]),
  );
}

/** A few bytes changed, cut out, put in twice, or a tail lost. */
function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let result = bytes;
  do {
    const at = random.below(result.length + 1);
    const length = random.below(8);
    const put = random.pick([
      () => new Uint8Array(),
      () => Uint8Array.from({ length: 1 + random.below(4) }, () => random.below(256)),
      () =>
        encoder.encode(random.pick(['"', "\\", "{", "}", "[", "]", ",", ":", "\n", "\r", "\u2028", "e999"])),
      () => result.slice(at, at + random.below(40)),
    ])();
    const tail = random.chance(0.1) ? new Uint8Array() : result.slice(at + length);
    result = Uint8Array.from([...result.slice(0, at), ...put, ...tail]);
  } while (random.chance(0.5) && result.length > 0);
  return result;
}

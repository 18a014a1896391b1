// The policy as a Seatbelt profile for macOS. Later rules win, so the order is: allow, deny, and what stands above.
import type { PathRule } from "./paths.ts";

export interface SeatbeltRequest {
  readonly rules: readonly PathRule[];
  /** Protected names that are not there yet. */
  readonly absent: readonly string[];
  /** The private temporary directory, by real path. */
  readonly temporary: string;
  /** Where the proxy listens on this machine; undefined: no network at all. */
  readonly proxyPort: number | undefined;
}

/** Behind these services are the keychain, other programs, and programs that would be started outside. */
const closedServices = [
  "com.apple.SecurityServer",
  "com.apple.securityd",
  "com.apple.securityd.xpc",
  "com.apple.secd",
  "com.apple.coreservices.launchservicesd",
  "com.apple.coreservices.appleevents",
  "com.apple.pasteboard.1",
];

export function seatbeltProfile({ rules, absent, temporary, proxyPort }: SeatbeltRequest): string {
  const lines = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* (subpath ${quoted(temporary)}))`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    '(allow file-write* (regex #"^/dev/fd/") (regex #"^/dev/ttys[0-9]+$"))',
    ...rules.map(ruleLine),
    ...absent.map((path) => `(deny file-write* ${filter(path, "directory")})`),
    // What is protected must not be moved away together with the directory above it.
    ...rules
      .filter(({ access }) => access !== "hidden")
      .map(({ path }) => `(deny file-write-unlink ${filter(path, "file")})`),
    "(deny network*)",
    ...(proxyPort === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${proxyPort}"))`]),
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny appleevent-send)",
    "(deny lsopen)",
    `(deny mach-lookup ${closedServices.map((name) => `(global-name ${quoted(name)})`).join(" ")})`,
  ];
  return `${lines.join("\n")}\n`;
}

function ruleLine({ path, access, kind }: PathRule): string {
  switch (access) {
    case "write":
      return `(allow file-read* file-write* ${filter(path, kind)})`;
    case "read":
      return `(allow file-read* ${filter(path, kind)})\n(deny file-write* ${filter(path, kind)})`;
    case "hidden":
      return `(deny file-read* file-write* ${filter(path, kind)})`;
  }
}

/** The file system may not tell cases apart: `.GIT/hooks` is the same directory there. */
function filter(path: string, kind: PathRule["kind"]): string {
  const insensitive = Array.from(path, anyCase).join("");
  return `(regex #"^${insensitive}${kind === "directory" ? "(/|$)" : "$"}")`;
}

function anyCase(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
  // A double quote would end the text of the profile; any one character is the nearest that can be said.
  if (character === '"') return ".";
  return /[A-Za-z0-9/_-]/.test(character) ? character : `\\${character}`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
}

import { expect, test } from "bun:test";
import { seatbeltProfile } from "../../src/sandbox/seatbelt-profile.ts";

test("the profile allows what is allowed, then denies, and names absent paths too", () => {
  const profile = seatbeltProfile({
    rules: [
      { path: "/w", access: "write", kind: "directory" },
      { path: "/h/.ssh", access: "hidden", kind: "directory" },
      { path: "/h/.netrc", access: "hidden", kind: "file" },
      { path: "/w/.git", access: "write", kind: "directory" },
      { path: "/w/.git/config", access: "read", kind: "file" },
    ],
    absent: ["/w/.codelia"],
    temporary: '/t/a"b',
    proxyPort: 8123,
  });
  expect(profile.split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/t/a\\"b"))',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper"))',
    '(allow file-write* (regex #"^/dev/fd/") (regex #"^/dev/ttys[0-9]+$"))',
    '(allow file-read* file-write* (regex #"^/[wW](/|$)"))',
    '(deny file-read* file-write* (regex #"^/[hH]/\\.[sS][sS][hH](/|$)"))',
    '(deny file-read* file-write* (regex #"^/[hH]/\\.[nN][eE][tT][rR][cC]$"))',
    '(allow file-read* file-write* (regex #"^/[wW]/\\.[gG][iI][tT](/|$)"))',
    '(allow file-read* (regex #"^/[wW]/\\.[gG][iI][tT]/[cC][oO][nN][fF][iI][gG]$"))',
    '(deny file-write* (regex #"^/[wW]/\\.[gG][iI][tT]/[cC][oO][nN][fF][iI][gG]$"))',
    '(deny file-write* (regex #"^/[wW]/\\.[cC][oO][dD][eE][lL][iI][aA](/|$)"))',
    '(deny file-write-unlink (regex #"^/[wW]$"))',
    '(deny file-write-unlink (regex #"^/[wW]/\\.[gG][iI][tT]$"))',
    '(deny file-write-unlink (regex #"^/[wW]/\\.[gG][iI][tT]/[cC][oO][nN][fF][iI][gG]$"))',
    "(deny network*)",
    '(allow network-outbound (remote ip "localhost:8123"))',
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny appleevent-send)",
    "(deny lsopen)",
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd") (global-name "com.apple.securityd.xpc") (global-name "com.apple.secd") (global-name "com.apple.coreservices.launchservicesd") (global-name "com.apple.coreservices.appleevents") (global-name "com.apple.pasteboard.1"))',
    "",
  ]);
});

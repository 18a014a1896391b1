// Inside the sandbox: a port of the empty network that leads to the proxy's socket, and the variables that name it.

const port = 3128;
export const socketInside = "/run/codelia-proxy.sock";

/**
 * @output shell text that starts the bridge and waits until it listens; it ends with the sandbox. The shell's first
 *         argument is socat, which it takes away.
 */
export function bridgeScript(): string {
  const listen = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
  return (
    // In a subshell of its own, so that it is nobody's job.
    `( "$1" ${listen} UNIX-CONNECT:${socketInside} </dev/null >/dev/null 2>&1 & ); shift; ` +
    `for codelia_try in {1..500}; do { : <>/dev/tcp/127.0.0.1/${port}; } 2>/dev/null && break; ` +
    "read -rt 0.01 <> <(:); done"
  );
}

/** For programs that ask for a proxy. What asks for none finds no network. */
export function proxyVariables(proxyPort: number = port): Record<string, string> {
  const url = `http://127.0.0.1:${proxyPort}`;
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    NO_PROXY: "localhost,127.0.0.1,::1",
    no_proxy: "localhost,127.0.0.1,::1",
    // Node's own fetch looks at the variables only when told so.
    NODE_USE_ENV_PROXY: "1",
  };
}

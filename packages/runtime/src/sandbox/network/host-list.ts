// Which hosts are granted: `example.org`, `*.example.org` for all below it, with `:PORT` if it is not 80 or 443.

export interface HostList {
  allows(host: string, port: number): boolean;
}

const usualPorts = [80, 443];

export function createHostList(entries: readonly string[]): HostList {
  const parsed = entries.map((entry) => {
    const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
    return { name, ports: port === undefined ? usualPorts : [Number(port)] };
  });
  return {
    allows(host, port) {
      // A trailing dot names the same host.
      const asked = host.toLowerCase().replace(/\.$/, "");
      return parsed.some(
        ({ name, ports }) =>
          ports.includes(port) && (name.startsWith("*.") ? asked.endsWith(name.slice(1)) : asked === name),
      );
    },
  };
}

/** Where clouds hand out keys, besides link-local addresses: AWS and Google by IPv6, Azure, Alibaba. */
const keyServers = ["fd00:ec2::254", "fd20:ce::254", "168.63.129.16", "100.100.100.200"];

/**
 * This machine, and the addresses at which clouds hand out keys: a granted name must not lead there, whatever its DNS
 * says. Private networks are left alone: a company's registry is in one.
 * @input own: the addresses that this machine has in them
 */
export function isLocalAddress(address: string, own: readonly string[] = []): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  if (own.includes(plain) || keyServers.includes(plain)) return true;
  if (plain.includes(":")) return plain === "::" || plain === "::1" || /^fe[89ab]/.test(plain);
  const [first = 0, second = 0] = plain.split(".").map(Number);
  return first === 0 || first === 127 || (first === 169 && second === 254);
}

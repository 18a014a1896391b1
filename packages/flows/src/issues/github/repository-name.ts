// OWNER/NAME from a remote's address, when it is on the host whose API is used.
export interface RemoteRepository {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}

const path = "/?(?<owner>[\\w.-]+)/(?<repo>[\\w.-]+?)(?:[.]git)?/?$";
const scpLike = new RegExp(`^(?:[^@/:]+@)?(?<host>[^@/:]+):(?!/)${path}`);

/** @input address: of a remote, as git prints it @output undefined for a path, and for what is no repository */
export function repositoryAt(address: string): RemoteRepository | undefined {
  const groups = urlGroups(address) ?? scpLike.exec(address)?.groups;
  const { host, owner, repo } = groups ?? {};
  return host && owner && repo ? { host: host.toLowerCase(), owner, repo } : undefined;
}

function urlGroups(address: string): Record<string, string | undefined> | undefined {
  if (!/^(https?|ssh|git):\/\//.test(address) || !URL.canParse(address)) return undefined;
  const { hostname, pathname } = new URL(address);
  const groups = new RegExp(`^${path}`).exec(pathname)?.groups;
  return groups && { ...groups, host: hostname };
}

/** @output the host of repositories that an API belongs to */
export function hostOfApi(apiUrl: string): string {
  const { hostname } = new URL(apiUrl);
  return hostname.replace(/^api[.]/, "").toLowerCase();
}

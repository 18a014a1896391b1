// The `mcp` section of config.json: servers of tools, and what the user approved of each.
import { z } from "zod";
import { hostPattern } from "../sandbox/index.ts";

const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of an environment variable" });

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: "expected the name of a header" });

const seconds = z.number().positive().max(3600);

const hosts = z.array(
  z.string().regex(hostPattern, {
    error: "expected a host in lower case (example.org, *.example.org), with :PORT if it is not 80 or 443",
  }),
);

/** No program can be given another one. */
const word = z.string().regex(/^[^\0]*$/, { error: "expected a text without the character NUL" });

/** Without an underscore, so that `mcp__SERVER__TOOL` can be read in one way only. */
export const McpServerNameSchema = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, {
  error: "expected at most 32 lower-case letters, digits and hyphens, as in my-server",
});

const shared = {
  enabled: z.boolean().optional().describe("false: the server is not used."),
  startTimeoutSeconds: seconds.optional().describe("How long the server may take to start (20)."),
  callTimeoutSeconds: seconds.optional().describe("How long a call may take (120)."),
};

export const McpStdioServerSchema = z.strictObject({
  command: word
    .min(1)
    .describe("The program: a name that is found on your PATH outside the project, or an absolute path."),
  args: z.array(word).optional(),
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe("Where it runs; relative to the project's root, which is the default."),
  env: z
    .record(variable, word)
    .optional()
    .describe("Variables with their values. Secrets do not belong here: name them in passEnv."),
  passEnv: z
    .array(variable)
    .optional()
    .describe("Names of variables that the server gets from your own environment, keys and tokens too."),
  network: hosts
    .optional()
    .describe("Hosts that the server may reach over HTTP and HTTPS. Empty: no network."),
  sandbox: z
    .enum(["on", "off"])
    .optional()
    .describe("off: it runs without the sandbox, with all that you may do. Not for a project's servers."),
  ...shared,
});

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/;

export const McpHttpServerSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "expected an http or https address" })
    .refine((url) => url.startsWith("https://") || loopback.test(url), {
      error: "expected https:// (http:// is for this machine only)",
    })
    // An address is shown, and no request could be made with it.
    .refine((url) => !/^https?:\/\/[^/?#]*@/.test(url), {
      error: "expected an address without a name and a password; use bearerTokenEnv or headers",
    })
    .describe("The address of a Streamable HTTP server."),
  headers: z
    .record(headerName, z.string().regex(/^[^\r\n\0]*$/, { error: "expected a text on one line" }))
    .optional()
    .describe(
      "Sent with every request. Secrets do not belong here: use bearerTokenEnv, or codelia mcp login.",
    ),
  bearerTokenEnv: variable.optional().describe("The environment variable that holds the server's token."),
  oauth: z
    .strictObject({
      clientId: z
        .string()
        .min(1)
        .optional()
        .describe("Where the server does not register clients by itself."),
      scope: z.string().min(1).optional(),
      redirectPort: z
        .number()
        .int()
        .min(1)
        .max(65_535)
        .optional()
        .describe("The port of this machine that the browser comes back to. Unset: any that is free."),
    })
    .optional()
    .describe("How codelia mcp login gets a token."),
  ...shared,
});

/** Told apart by `command` and `url`, so that a wrong key is named instead of "no alternative fits". */
export const McpServerConfigSchema = z
  .union([McpStdioServerSchema, McpHttpServerSchema])
  .describe(
    "A program that speaks MCP over its standard streams, or the address of one that speaks it over HTTP.",
  );

const shape = {
  deferAbove: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "The share of the model's window that definitions of MCP tools may take before they are only searched.",
    ),
  clientNetwork: hosts.describe(
    "Hosts that servers which an editor brings may reach over HTTP and HTTPS. Empty: no network.",
  ),
  servers: z.record(McpServerNameSchema, McpServerConfigSchema).describe("MCP servers by name."),
};

export const McpSettingsSchema = z.strictObject({ ...shape, servers: shape.servers.default({}) });
export const McpConfigSchema = z.strictObject(shape).partial();

/** A tool as its server describes it, and as it is pinned. */
export const McpToolSchema = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  /** What the server says about itself is shown, never relied on. */
  annotations: z.record(z.string(), z.unknown()).optional(),
});

/** What the user said yes to: this launch, and these tools. */
export const McpApprovalSchema = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  /** `user`, or the identity of the project whose file names the server. */
  owner: z.string(),
  /** Hash of how the server is started or reached. */
  launch: z.string(),
  /** Hash of `tools`; absent: it may be started, its tools were not seen yet. */
  pin: z.string().optional(),
  tools: z.array(McpToolSchema),
  /** What the server says of itself to the model. */
  instructions: z.string().optional(),
  approvedAt: z.string(),
});

/** What a login brought. The SDK's own shapes are kept as they came. */
export const McpLoginSchema = z.strictObject({
  format: z.literal(1),
  url: z.string(),
  client: z.record(z.string(), z.unknown()).optional(),
  tokens: z.record(z.string(), z.unknown()).optional(),
  discovery: z.record(z.string(), z.unknown()).optional(),
  redirectUrl: z.string().optional(),
});

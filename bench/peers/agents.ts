// The agents, ours first: how each runs headless, where it is told about the server, what is switched off.
// Only documented settings; each agent keeps its own prompt, tools and defaults.
import type { Agent } from "./agent.ts";

const codelia: Agent = {
  name: "codelia",
  program: ["dist/codelia"],
  args: (prompt) => ["run", prompt, "-m", "anthropic/fake-model", "--approval", "full", "--trust", "--json"],
  env: ({ home, server }) => ({
    CODELIA_HOME: `${home}/.codelia`,
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: server,
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${server}/v1`,
  }),
  files: () => ({}),
};

const codex: Agent = {
  name: "codex",
  npmPackage: "@openai/codex",
  // The program itself: the package's launcher would add the start of Node.
  program: ["node_modules/@openai/codex-*/vendor/*/bin/codex"],
  args: (prompt) => ["exec", "--sandbox", "danger-full-access", prompt],
  env: () => ({ BENCH_KEY: "bench" }),
  files: ({ server }) => ({
    ".codex/config.toml": [
      // Its newest models get one tool that runs JavaScript; this one gets plain functions, like all others here.
      'model = "gpt-5.5"',
      'model_provider = "bench"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.bench]",
      'name = "bench"',
      `base_url = "${server}/v1"`,
      'env_key = "BENCH_KEY"',
      'wire_api = "responses"',
      "",
    ].join("\n"),
  }),
};

const claudeCode: Agent = {
  name: "claude-code",
  npmPackage: "@anthropic-ai/claude-code",
  program: ["node_modules/@anthropic-ai/claude-code-*/claude"],
  args: (prompt) => ["-p", prompt, "--allowedTools", "Read"],
  env: ({ server }) => ({
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: server,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  }),
  files: () => ({}),
};

const pi: Agent = {
  name: "pi",
  npmPackage: "@mariozechner/pi-coding-agent",
  program: ["node_modules/@mariozechner/pi-coding-agent/dist/cli.js"],
  script: true,
  args: (prompt) => ["-p", "--model", "bench/fake-model", prompt],
  env: () => ({ BENCH_KEY: "bench", PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  files: ({ server }) => ({
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        bench: {
          baseUrl: server,
          api: "anthropic-messages",
          apiKey: "BENCH_KEY",
          models: [{ id: "fake-model", contextWindow: 200_000 }],
        },
      },
    }),
  }),
};

const opencode: Agent = {
  name: "opencode",
  npmPackage: "opencode-ai",
  program: ["node_modules/opencode-{linux,darwin,windows}-{x64,arm64}{,-musl}/bin/opencode{,.exe}"],
  args: (prompt) => ["run", prompt],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  }),
  files: ({ server }) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      autoupdate: false,
      share: "disabled",
      model: "bench/fake-model",
      provider: {
        bench: {
          npm: "@ai-sdk/anthropic",
          options: { baseURL: `${server}/v1`, apiKey: "bench" },
          models: { "fake-model": { tool_call: true, limit: { context: 200_000, output: 8000 } } },
        },
      },
    }),
  }),
};

const geminiCli: Agent = {
  name: "gemini-cli",
  npmPackage: "@google/gemini-cli",
  program: ["node_modules/@google/gemini-cli/bundle/gemini.js"],
  script: true,
  args: (prompt) => ["-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust", "-p", prompt],
  env: ({ server }) => ({ GEMINI_API_KEY: "bench", GOOGLE_GEMINI_BASE_URL: server }),
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // Its own default is GEMINI.md; the others read AGENTS.md without being told.
      context: { fileName: ["AGENTS.md"] },
    }),
  }),
};

export const ours = codelia;
export const peers: readonly Agent[] = [codex, claudeCode, pi, opencode, geminiCli];

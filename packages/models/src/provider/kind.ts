// The name under which each adapter keeps its own data.
import type { ProviderKind } from "@codelia/shared-types";

/** The key in `providerData` that an adapter reads. */
export const dataKeys: Readonly<Record<ProviderKind, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "google",
  // Not the adapter's own default: it would copy everything under that name onto the wire.
  "openai-compatible": "compatible",
};

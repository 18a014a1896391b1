// An answer of GitHub, and whether it says that there were too many questions.

/** What GitHub answered. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

export function isRateLimit({ status, headers }: Answer): boolean {
  if (status === 429) return true;
  return (
    status === 403 &&
    (headers["retry-after"] !== undefined || String(headers["x-ratelimit-remaining"]) === "0")
  );
}

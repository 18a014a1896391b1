// When a provider says how long to wait: the Retry-After headers, and Google's RetryInfo in the body.

/**
 * @input  response headers with lower-case names; the time now, for a Retry-After that is a date
 * @output milliseconds to wait, never negative; undefined when nothing usable was said
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = decimal(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const value = headers["retry-after"];
  const seconds = decimal(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A protobuf duration such as `34s` or `1.5s`. */
export function durationOf(value: string): number | undefined {
  const seconds = value.endsWith("s") ? decimal(value.slice(0, -1)) : undefined;
  return seconds === undefined ? undefined : seconds * 1000;
}

function decimal(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

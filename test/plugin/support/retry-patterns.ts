/** The patterns by which OpenCode 1.18.33 decides to ask again, word for word from its bundle. */
const RETRY_PATTERNS: readonly RegExp[] = [
  /429|500|502|503|504|524/i,
  /rate increased too quickly|rate limit|rate-limit|rate_limit|too many requests/i,
  /overloaded|service unavailable|service_unavailable|service-unavailable|internal error|internal_error|internal server error|server error|server_error|server-error|provider returned error|provider_returned_error|provider-returned-error/i,
  /terminated|fetch failed|failed to fetch|network[-_\s]error|upstream connect|connection error|connection refused|connection lost|socket connection was closed|socket hang up|reset before headers|getaddrinfo|enotfound|eai_again|econnrefused|econnreset|etimedout/i,
  /^timeout$|\b(?:request|response|connection|network|stream|read) (?:timeout|timed out|time out)\b/i,
  /try your request again|retry your request|resource exhausted|resource_exhausted/i,
  /\btry again (?:later|in\b)|\b(?:currently|temporarily) at capacity\b/i,
  /too_many_requests|exhausted|unavailable/i,
];

/** Words out of which a text can be built that OpenCode would retry. */
export const RETRY_WORDS = [
  ...['429', '500', '502', '503', '504', '524', 'rate increased too quickly', 'rate limit', 'rate_limit'],
  ...['too many requests', 'overloaded', 'service unavailable', 'internal error', 'internal server error'],
  ...['provider returned error', 'terminated', 'fetch failed', 'failed to fetch', 'network\nerror', 'upstream connect'],
  ...['connection error', 'socket hang up', 'reset before headers', 'getaddrinfo', 'enotfound', 'eai_again'],
  ...['econnrefused', 'etimedout', 'timeout', 'read timed out', 'try your request again', 'retry your request'],
  ...['resource_exhausted', 'try again later', 'currently at capacity', 'too_many_requests'],
] as const;

/** The pattern that would make OpenCode ask again; null when the text is calm. */
export const retriedBy = (text: string): RegExp | null => RETRY_PATTERNS.find((pattern) => pattern.test(text)) ?? null;

import type { FailureKind } from './kinds';

const KIND_WORDS: Readonly<Record<FailureKind, string>> = {
  rate_limit: 'rate limited',
  quota: 'out of quota',
  overloaded: 'overloaded',
  server_error: 'failing',
  timeout: 'not answering in time',
  network_transient: 'unreachable',
  network_permanent: 'unreachable: its certificate or proxy failed',
  local_network: 'unreachable: this machine is offline',
  auth: 'refusing the API key',
  login: 'no longer logged in',
  permission: 'not allowed for this account',
  model_not_found: 'not available',
  content_policy: 'declining the content',
  invalid_request: 'refusing the request',
  context_length: 'out of context window',
  unsupported_input: 'unable to accept this input',
  early_termination: 'ending its answers early',
  empty_response: 'sending empty answers',
  stream_interrupted: 'losing its connection mid-answer',
  tool_error: 'fine; a tool failed',
  aborted: 'fine; you stopped it',
  unknown: 'failing for an unknown reason',
};

/** "rate limited (429)": completes the sentence "MODEL is …". */
export function kindPhrase(kind: FailureKind, status: number | null): string {
  return status === null || status < 400 ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} (${status})`;
}

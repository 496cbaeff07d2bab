import { describe, expect, it } from 'vitest';
import { parseConfig, resolveScope } from '../../src/core/config';
import { ABILITIES, type Evidence } from '../../src/engine';
import type { CompanionEvent } from '../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, failed, openTestCore, prompted, started } from './virtual-core';

const PATH = '/home/u/.config/opencode/model-fallback.json';
const FILE = { agents: { build: { fallbackModels: CHAIN } } };

const body = (status: number, code?: string): Evidence => ({
  phase: 'body',
  status,
  message: 'no',
  ...(code ? { code } : {}),
});
const FAILURES = {
  limit: body(429),
  hint: { ...body(429), headers: { 'retry-after-ms': '4000' } },
  quota: body(429, 'insufficient_quota'),
  gateway: body(503),
  crash: body(500),
  login: body(401),
  denied: body(403),
  missing: body(404),
  tooLong: body(400, 'context_length_exceeded'),
  tls: { phase: 'headers', code: 'CERT_HAS_EXPIRED' },
  network: { phase: 'headers', code: 'ECONNRESET' },
  cut: { phase: 'stream', observed: 'early_termination', outputChars: 90 },
  cutLong: { phase: 'stream', observed: 'early_termination', outputChars: 501 },
  lost: { phase: 'stream', observed: 'stream_interrupted' },
  odd: body(200),
} satisfies Record<string, Evidence>;
type Failing = keyof typeof FAILURES;

/** What the core of an app decides, without a companion's say, when the lead of a turn fails as often as it is asked. */
function decided(policy: string, failure: Failing, times = 1): readonly string[] {
  const source = { path: PATH, ...parseConfig(JSON.stringify({ defaults: { policy }, ...FILE }), PATH) };
  const host = { leads: { build: CHAIN[0] }, defaultModel: null, abilities: ABILITIES };
  const { config } = resolveScope({ global: source, project: null }, host);
  const test = openTestCore();
  test.core.connected(COMPANION);
  test.tell({ type: 'scope.configured', directory: DIRECTORY, config } as CompanionEvent);
  test.tell(prompted());
  for (let at = 1; at <= times; at++) {
    test.tell(started({ attempt: `a${at}` }));
    test.tell(failed(`a${at}`, FAILURES[failure]));
  }
  const { events } = test.core.host.handlers['snapshot.get'](null) as { events: readonly Row[] };
  return events
    .filter(({ trace }) => trace.length > 0)
    .map(({ code, at, until, to }) => {
      const waits = code.startsWith('hold.') && until !== null ? ` ${(until - at) / 1000} s` : '';
      return `${code}${waits}${to === null || to === CHAIN[0] ? '' : ` to ${to}`}`;
    })
    .reverse();
}
type Row = Readonly<{ code: string; at: number; until: number | null; to: string | null; trace: readonly unknown[] }>;

const RETRIES = (kind: string) => [`hold.${kind} 1 s`, `hold.${kind} 2 s`, `hold.${kind} 4 s`];
const NEXT = CHAIN[1];

describe.each<[string, readonly (readonly [Failing, number, readonly string[]])[]]>([
  [
    'swift',
    [
      ['limit', 1, [`switch.rate_limit to ${NEXT}`]],
      ['hint', 2, ['hold.rate_limit 4 s', `switch.rate_limit to ${NEXT}`]],
      ['quota', 1, [`switch.quota to ${NEXT}`]],
      ['gateway', 1, [`switch.server_error to ${NEXT}`]],
      ['tls', 1, [`switch.network_permanent to ${NEXT}`]],
      ['tooLong', 1, ['compact.context_length']],
      ['cut', 2, ['continue.early_termination', `switch.early_termination to ${NEXT}`]],
      ['lost', 1, [`switch.stream_interrupted to ${NEXT}`]],
    ],
  ],
  [
    'steady',
    [
      ['limit', 4, [...RETRIES('rate_limit'), `switch.rate_limit to ${NEXT}`]],
      ['gateway', 4, [...RETRIES('server_error'), `switch.server_error to ${NEXT}`]],
      ['crash', 1, [`switch.server_error to ${NEXT}`]],
      ['network', 4, [...RETRIES('network_transient'), `switch.network_transient to ${NEXT}`]],
      ['tls', 1, ['pass.network_permanent']],
      ['lost', 2, ['hold.stream_interrupted 1 s', `switch.stream_interrupted to ${NEXT}`]],
      ['quota', 1, [`switch.quota to ${NEXT}`]],
    ],
  ],
  [
    'patient',
    [
      ['limit', 1, [`hold.rate_limit 30 s to ${NEXT}`]],
      ['gateway', 1, [`hold.server_error 30 s to ${NEXT}`]],
      ['missing', 1, [`hold.model_not_found 30 s to ${NEXT}`]],
      ['quota', 1, [`switch.quota to ${NEXT}`]],
      ['login', 1, [`switch.auth to ${NEXT}`]],
      ['denied', 1, ['pass.permission']],
      ['cut', 4, [...Array(3).fill('continue.early_termination'), `switch.early_termination to ${NEXT}`]],
      ['cutLong', 1, ['pass.early_termination']],
    ],
  ],
  [
    'council',
    [
      ['limit', 5, [...RETRIES('rate_limit'), 'defer.rate_limit', 'ask.rate_limit']],
      ['quota', 1, ['ask.quota']],
      ['login', 1, ['ask.auth']],
      ['denied', 1, ['pass.permission']],
      ['lost', 2, ['hold.stream_interrupted 1 s', 'ask.stream_interrupted']],
      ['tooLong', 2, ['compact.context_length', 'pass.context_length']],
    ],
  ],
])('given a file with the policy %s and a host that can do all of it', (policy, cases) => {
  it.each(cases)(
    'when the lead fails by "%s" %i times, then the core decides as the table says',
    (failure, n, codes) => {
      expect(decided(policy, failure, n)).toEqual(codes);
    },
  );
});

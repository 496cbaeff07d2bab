import { parseRateLimit } from 'ratelimit-header-parser';
import { windowsIn } from '../../src/core/headroom/read-windows';
import { type EngineEvent, type EngineState, type HeadroomRules, initialState, step } from '../../src/engine';
import { AGENT, DIRECTORY, scopeOf } from '../engine/world';
import { type BenchRow, rowOf } from './bench-row';

const RUNS = 200;
/** Readings of one sample: one alone is shorter than a clock tells. */
const EACH = 500;
/** Source: the promise of what a response may cost, in µs. */
const RESPONSE_TARGET_US = 50;
const MODEL = 'openai/gpt-5';

/** What a response has beside its limits. */
const OTHERS = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-some-header-${at}`, `value ${at}`]));

const SETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a Claude plan': {
    'anthropic-ratelimit-unified-status': 'allowed',
    'anthropic-ratelimit-unified-5h-utilization': '0.42',
    'anthropic-ratelimit-unified-5h-reset': '1790000000',
    'anthropic-ratelimit-unified-5h-status': 'allowed',
    'anthropic-ratelimit-unified-7d-utilization': '0.3',
    'anthropic-ratelimit-unified-7d-reset': '1790300000',
    'anthropic-ratelimit-unified-7d-status': 'allowed',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  },
  'an OpenAI key': {
    'x-ratelimit-limit-requests': '5000',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '4999',
    'x-ratelimit-remaining-tokens': '1800000',
    'x-ratelimit-reset-requests': '12ms',
    'x-ratelimit-reset-tokens': '6m0s',
  },
};
const SEEN_AT = 1_789_990_000_000;

/** How long what is done for each response takes: reading its limits, telling the engine, and the decision that heeds them. */
export async function headroomBench(): Promise<BenchRow[]> {
  const read = Object.entries(SETS).flatMap(([name, limits]) => readRows(name, { ...OTHERS, ...limits }));
  return [...read, toldRow(), ...decisionRows()];
}

/** Microseconds for one of many runs of an act. */
function timed(act: () => unknown): readonly number[] {
  for (let at = 0; at < 5 * EACH; at++) act();
  return Array.from({ length: RUNS }, () => {
    const startedAt = performance.now();
    for (let at = 0; at < EACH; at++) act();
    return (1_000 * (performance.now() - startedAt)) / EACH;
  });
}

function readRows(name: string, said: Readonly<Record<string, string>>): BenchRow[] {
  const headers = new Headers(said);
  const count = Object.keys(said).length;
  const asked = { provider: name.includes('Claude') ? 'anthropic' : 'openai', seenAt: SEEN_AT };
  return [
    rowOf(
      `the limits in ${count} headers of ${name}`,
      'µs',
      timed(() => windowsIn(headers, asked)),
      {
        target: RESPONSE_TARGET_US,
      },
    ),
    rowOf(
      '  the same by ratelimit-header-parser 0.1.0',
      'µs',
      timed(() => parseRateLimit(headers)),
      {
        note: 'one window, without its unit',
      },
    ),
  ];
}

const RULES: HeadroomRules = { act: 'move', moveAt: 0.97 };

/** An engine in a turn, which has heard of the limits of its lead or not. */
function inTurn(headroom: HeadroomRules | undefined): EngineState {
  const config = scopeOf([MODEL, 'anthropic/claude-sonnet-4-5', 'google/gemini-3-pro'], headroom ? { headroom } : {});
  let state = step(initialState, { type: 'scope.configured', directory: DIRECTORY, config }, 0, 0.5).state;
  const about = { turn: 't', session: 's', directory: DIRECTORY, agent: AGENT, model: MODEL };
  state = step(state, { type: 'prompt.submitted', ...about, hostLead: MODEL, isExplicit: false }, 1, 0.5).state;
  return headroom ? told(state) : state;
}

const { windows } = windowsIn(new Headers(SETS['an OpenAI key']), { provider: 'openai', seenAt: SEEN_AT });
const seen = { type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: MODEL, windows } as const;
const told = (state: EngineState): EngineState => step(state, seen, 2, 0.5).state;

function toldRow(): BenchRow {
  const state = inTurn(RULES);
  return rowOf(
    'the engine told of two windows',
    'µs',
    timed(() => told(state)),
    { target: RESPONSE_TARGET_US },
  );
}

function decisionRows(): BenchRow[] {
  const start: EngineEvent = {
    ...{ type: 'attempt.started', attempt: 'a', turn: 't', session: 's', directory: DIRECTORY, agent: AGENT },
    ...{ model: MODEL, purpose: 'turn', spend: { input: 9_000, fresh: 9_000, output: 500, most: 4_000 } },
  };
  const act = (state: EngineState) => () => step(state, start, 3, 0.5);
  return [
    rowOf('a request admitted, without limits', 'µs', timed(act(inTurn(undefined)))),
    rowOf('a request admitted, with two windows of its account', 'µs', timed(act(inTurn(RULES)))),
  ];
}

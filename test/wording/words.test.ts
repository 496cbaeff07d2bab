import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventRow } from '../../src/contract/snapshot';
import { ABILITIES, FAILURE_KINDS, MODEL_STATES } from '../../src/engine';
import { eventSentence, gatheredSentence, hasSentence } from '../../src/wording/event-words';
import { reasonPhrase, refusalPhrase } from '../../src/wording/reason-words';

const ENGINE = join(import.meta.dirname, '../../src/engine');

/** What the engine's templates may put behind, or before, the dot; a new one has to be named here. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'switch.*': FAILURE_KINDS,
  'redirect.*': [...FAILURE_KINDS, 'lead'],
  'hold.*': FAILURE_KINDS,
  'pass.*': FAILURE_KINDS,
  'ask.*': FAILURE_KINDS,
  'degraded.*': FAILURE_KINDS,
  'declined.*': FAILURE_KINDS,
  'skipped.*': FAILURE_KINDS,
  'exhausted.*': FAILURE_KINDS,
  'limit.*': FAILURE_KINDS,
  'rest.*': FAILURE_KINDS,
  'blocked.*': FAILURE_KINDS,
  'money.*': ['day', 'week', 'session', 'unpriced'],
  '*.money': ['declined', 'skipped'],
  'held.*': ['open', 'closed'],
  'manual.*': ['isolated', 'released', 'open', 'closed', 'unheld'],
  'question.*': ['put', 'nudged', 'skipped'],
  // `held` in steps.ts, `choosePrompt` in prompt.ts, `refused` in standing.ts.
  '*.*': [
    ...['hold', 'ask', 'defer', 'continue', 'compact'].flatMap((verb) =>
      FAILURE_KINDS.map((kind) => `${verb}.${kind}`),
    ),
    ...['breaker.open', 'breaker.probing', 'network.open', 'network.probing'],
    ...['keep', 'redirect'].flatMap((verb) => [`${verb}.panic`, `${verb}.estimate`]),
  ],
};

const sources = readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })
  // What is no turn's of OpenCode has no codes to be told of.
  .filter((name) => name.endsWith('.ts') && !/^(?:fallback|scorecard)\b/.test(name))
  .map((name) => readFileSync(join(ENGINE, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
  .join('\n');

/** Dotted literals that are no codes: what the engine is told, what a host can do, some facts, a file format. */
const OTHERS = new Set<string>([
  ...[...sources.matchAll(/(?:Base|Manually)<\s*'([a-z.]+)'/g)].map(([, type]) => String(type)),
  ...['attempt.started', 'attempt.failed', 'prompt.submitted'],
  ...ABILITIES,
  // Facts that no row has as its code.
  ...[
    'turn.began',
    'turn.ended',
    'attempt.began',
    'attempt.ended',
    'speaker.moved',
    'speaker.carried',
    'switch.failed',
  ],
  ...['chain.exhausted', 'session.rested', 'model.changed', 'event.ignored'],
  'understudy.engine',
]);
/** Codes that share their name with an event. */
const BOTH = ['question.answered', 'switching.paused', 'switching.resumed', 'host.resumed', 'lease.answered'];

function codesOfEngine(): readonly string[] {
  const plain = [...sources.matchAll(/'([a-z]+\.[a-z_]+)'/g)].map(([, code]) => String(code));
  const made = [...sources.matchAll(/`([^`\s]*\.[^`\s]*|\$\{[^`]*?\}\.[^`]*?)`/g)].flatMap(([, text]) => {
    const shape = String(text).replaceAll(/\$\{[^}]*\}/g, '*');
    if (!/^(?:[a-z]+|\*)\.(?:[a-z]+|\*)$/.test(shape) || !shape.includes('*')) return [];
    const ends = TEMPLATES[shape];
    if (!ends) throw new Error(`The engine makes codes of the shape ${shape}: name what stands for * in this test.`);
    return ends.map((end) => (shape === '*.*' ? end : shape.replace('*', end)));
  });
  return [...new Set([...plain.filter((code) => !OTHERS.has(code)), ...made, ...BOTH])].sort();
}

const rowOf = (over: Partial<EventRow>): EventRow => ({
  ...{
    id: 1,
    at: (over.until ?? 60_000) - 60_000,
    code: 'x.y',
    state: 'ready',
    agent: 'build',
    session: 's1',
    model: 'a/lead',
    to: 'b/spare',
  },
  ...{ kind: null, status: null, until: null, detail: null, durationMs: null, trace: [] },
  ...over,
});

describe('given every code that the engine’s sources name', () => {
  const codes = codesOfEngine();

  it('when they are collected, then the families of decisions, facts, traces and refusals are among them', () => {
    for (const code of ['switch.larger', 'ask.quota', 'keep.panic', 'budget.warned', 'chain.tried', 'manual.stale'])
      expect(codes).toContain(code);
    expect(codes.length).toBeGreaterThan(300);
  });

  it.each(codes)('when it is %s, then there are words for it', (code) => {
    const hasWords = hasSentence(code) || reasonPhrase(code) !== null || refusalPhrase(code) !== null;
    expect(hasWords, `${code} has neither a sentence, nor a reason, nor a refusal`).toBe(true);
  });

  it('when its words are read, then no sentence has a hole, a doubled space or the code itself', () => {
    const kinds = ['rate_limit', null] as const;
    const odd = codes.filter(hasSentence).flatMap((code) =>
      kinds.flatMap((kind) => {
        const row = rowOf({ code, kind, status: 429, until: kind && 60_000, tally: { count: 1, of: 2 } });
        const sentence = eventSentence(row);
        return /undefined|null| {2}|: $|\bis $|[:;,] [;,]/.test(sentence) || sentence.includes(code) ? [sentence] : [];
      }),
    );
    // A decision that follows a failure always has its kind.
    expect(odd.filter((sentence) => !/(?:: |is )$/.test(sentence))).toEqual([]);
  });
});

describe('given rows of the history', () => {
  const AT = Date.UTC(2026, 0, 15, 14, 32);
  const clockOf = new Date(AT).toTimeString().slice(0, 5);
  it.each<[Partial<EventRow>, string]>([
    [
      { code: 'switch.rate_limit', kind: 'rate_limit', status: 429, until: AT },
      `build switched lead → spare: rate limited (429), back about ${clockOf}`,
    ],
    [
      { code: 'switch.larger', kind: 'context_length' },
      'build switched lead → spare, which has a larger context: out of context window',
    ],
    [{ code: 'hold.rate_limit', kind: 'rate_limit', to: 'a/lead' }, 'build waits for lead: rate limited'],
    [{ code: 'hold.timeout', kind: 'timeout' }, 'build waits, then uses spare: lead is not answering in time'],
    [{ code: 'hold.soonest', until: AT }, `build waits for spare until ${clockOf}: it returns first`],
    [
      { code: 'ask.quota', kind: 'quota' },
      'build asks you whether to continue with another model: lead is out of quota',
    ],
    [{ code: 'defer.overloaded', kind: 'overloaded' }, 'build lets the other agents go first: lead is overloaded'],
    [{ code: 'continue.early_termination' }, 'build lets lead continue where it stopped'],
    [{ code: 'redirect.lead', state: 'held', until: AT }, `build used spare because lead is held until ${clockOf}`],
    [{ code: 'redirect.lead' }, 'build uses spare, the first model of its chain'],
    [{ code: 'redirect.pinned' }, 'build uses spare, which you pinned'],
    [{ code: 'exhausted.cooling', to: null }, 'build has no available model'],
    [{ code: 'exhausted.server_error' }, 'build stopped; spare takes the next message'],
    [
      { code: 'question.put', state: 'held' },
      'build asks you whether spare may continue: lead is held. Answer with /yes or /no',
    ],
    [{ code: 'hold.unknown', state: 'held', to: 'a/lead' }, 'build waits for lead'],
    [
      { code: 'speaker.degraded', kind: 'auth', tally: { count: 2, of: 3 } },
      'build is paused in this session: lead is refusing the API key. 2 of 3 active; /retry build resumes it',
    ],
    [
      { code: 'budget.warned', tally: { count: 20, of: 30 } },
      'build has used 20 of 30 retries of its session: check your network and providers',
    ],
    [{ code: 'pin.set', until: AT }, `You pinned build to lead until ${clockOf}`],
    [{ code: 'manual.open' }, 'You hold lead out of use'],
    [{ code: 'constructor.name', detail: 'x' }, 'constructor.name · lead · x'],
  ])('when it is %o, then the sentence is exact', (over, sentence) => {
    expect(eventSentence(rowOf(over))).toBe(sentence);
  });

  it('when several were moved before one limit, then that is why, and no failure', () => {
    const near = {
      ...{ code: 'headroom.plan', window: '5h', unit: 'share' as const, lengthMs: 18_000_000, used: 0.97 },
      ...{ limit: null, remaining: null, needs: null },
    };
    const moved = (change: Partial<EventRow> = {}) => rowOf({ code: 'headroom.plan', kind: 'quota', near, ...change });
    const why = 'lead has used 97\u202f% of its 5 h limit';
    expect(gatheredSentence([moved(), moved(), moved()])).toContain(why);
    const { near: _, ...failed } = moved();
    const mixed = gatheredSentence([moved(), moved(), failed]);
    expect([mixed.includes(why), mixed.includes('out of quota')]).toEqual([false, false]);
  });

  it('when a model changes into any state, then there is a sentence for it', () => {
    for (const state of MODEL_STATES)
      expect(eventSentence(rowOf({ code: `model.${state}`, state }))).toMatch(
        /^(?:lead is|lead can be used again|Probe sent to lead)/,
      );
  });
});

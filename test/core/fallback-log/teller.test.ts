import { describe, expect, it } from 'vitest';
import { createLogTeller, type LogEntry } from '../../../src/core/fallback-log';
import { type EngineEvent, type Evidence, initialState, step } from '../../../src/engine';
import { scopeOf } from '../virtual-core';

const [LEAD, SPARE, LAST] = ['lead/one', 'spare/two', 'last/three'] as const;
const DIRECTORY = '/p';
const MINUTE_MS = 60_000;
const LIMITED: Evidence = { phase: 'body', status: 429, message: 'Rate limit reached', seenAt: 0 };
const PLACE = { turn: 't1', session: 's1', directory: DIRECTORY, agent: 'build' };

/** An engine whose steps are all told. */
function open() {
  const teller = createLogTeller();
  let state = initialState;
  let now = 0;
  const entries: LogEntry[] = [];
  const tell = (event: EngineEvent) => {
    const result = step(state, event, now, 0.5);
    state = result.state;
    const told = teller.hear({ step: result, event, now, wall: Date.UTC(2026, 0, 1) + now });
    entries.push(...told);
    return told;
  };
  const start = (attempt: string, model: string) =>
    tell({ type: 'attempt.started', ...PLACE, attempt, model, purpose: 'turn' });
  const fail = (attempt: string, evidence = LIMITED) =>
    tell({ type: 'attempt.failed', attempt, evidence, durationMs: 40 });
  tell({ type: 'scope.configured', directory: DIRECTORY, config: scopeOf([LEAD, SPARE, LAST]) });
  tell({ type: 'prompt.submitted', ...PLACE, model: LEAD, hostLead: LEAD, isExplicit: false });
  return {
    tell,
    start,
    fail,
    advance: (ms: number) => {
      now += ms;
      return tell({ type: 'tick' });
    },
    carried: (ok = true) =>
      tell({ type: 'switch.carried', turn: 't1', from: LEAD, ok, durationMs: 31.4, ...(ok ? {} : { reason: 'no' }) }),
    lines: () => entries.flatMap(({ line }) => line?.replace(/^\[[^\]]+\] /, '') ?? []),
    entries,
  };
}

const records = (told: readonly LogEntry[]) => told.map(({ record: { timestamp: _, ...rest } }) => rest);

describe('given two accounts of one model, of which the emptier answers', () => {
  it('when a turn goes there, then the log of fallbacks has none', () => {
    const { tell } = open();
    const other = 'lead@work/one';
    const headroom = { act: 'move', moveAt: 0.97, spread: true } as const;
    tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf([LEAD, other]), headroom } });
    const counted = { limit: null, remaining: null, refills: 'at_reset', charges: 'used' } as const;
    const week = { id: 'week', unit: 'share', lengthMs: 604_800_000, of: 'account', resetInMs: 86_400_000 } as const;
    for (const [model, used] of [
      [LEAD, 0.72],
      [other, 0.23],
    ] as const) {
      const windows = [{ ...week, ...counted, used }];
      tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model, windows });
    }
    const about = { ...PLACE, turn: 't2', model: LEAD, hostLead: LEAD, isExplicit: false };
    expect(tell({ type: 'prompt.submitted', ...about })).toEqual([]);
    tell({ type: 'attempt.started', ...PLACE, turn: 't2', attempt: 'i:s1:m:9', model: other, purpose: 'turn' });
    const ends = { durationMs: 90, firstTokenMs: 20, outputChars: 12 };
    expect(records(tell({ type: 'attempt.succeeded', attempt: 'i:s1:m:9', ...ends }))).toMatchObject([
      { event: 'attempt_succeeded', model: other },
    ]);
    // Nor is the way back one from a fallback.
    const windows = [{ ...week, ...counted, used: 0.8 }];
    tell({ type: 'headroom.seen', attempt: null, directory: DIRECTORY, model: other, windows });
    expect(tell({ type: 'prompt.submitted', ...about, turn: 't3', model: other })).toEqual([]);
  });
});

describe('given a turn that an understudy finishes', () => {
  it('when all of it has been heard, then the lines tell it from the failure to the recovery', () => {
    const { start, fail, carried, tell, advance, lines } = open();
    start('i:s1:m:1', LEAD);
    fail('i:s1:m:1');
    carried();
    start('i:s1:m:2', SPARE);
    tell({ type: 'attempt.succeeded', attempt: 'i:s1:m:2', durationMs: 90, firstTokenMs: 20, outputChars: 12 });
    tell({ type: 'session.idle', session: 's1' });
    advance(5 * MINUTE_MS);
    advance(10 * MINUTE_MS);
    tell({ type: 'session.idle', session: 's1' });
    expect(lines()).toEqual([
      '[DETECT] session=s1 agent=build model=lead/one trigger="rate limit" message="Rate limit reached"',
      '[FALLBACK] session=s1 agent=build from=lead/one to=spare/two reason=rate_limit',
      '[HEALTH] lead/one: rate_limited (cooldown in 5m) | spare/two: healthy | last/three: healthy',
      '[RECOVER] lead/one: rate_limited -> cooldown',
      '[RECOVER] lead/one: cooldown -> healthy',
    ]);
  });

  it('when its provider fails in the same way twice in a row, then line and record of the second failure are marked', () => {
    const { start, fail, lines } = open();
    start('i:s1:m:1', LEAD);
    const broken: Evidence = { phase: 'body', status: 500, message: 'no' };
    expect(records(fail('i:s1:m:1', broken))[0]).not.toHaveProperty('repeated');
    start('i:s1:m:2', LEAD);
    expect(records(fail('i:s1:m:2', broken))[0]).toMatchObject({ event: 'attempt_failed', repeated: true });
    expect(
      lines()
        .filter((line) => line.startsWith('[DETECT]'))
        .map((line) => line.includes(' repeated=true')),
    ).toEqual([false, true]);
  });

  it('when each moment is told, then its record carries session, agent, attempt, kind and duration', () => {
    const { start, fail, carried, tell } = open();
    start('i:s1:m:1', LEAD);
    const common = { session_id: 's1', agent: 'build', attempt: 1, error_type: 'rate_limit' };
    expect(records(fail('i:s1:m:1'))).toEqual([
      { event: 'attempt_failed', model: LEAD, duration_ms: 40, status: 429, message: 'Rate limit reached', ...common },
      {
        ...{ event: 'model_changed', model: LEAD, from: 'healthy', to: 'rate_limited' },
        ...{ error_type: 'rate_limit', for_ms: 300_000 },
      },
    ]);
    expect(records(carried())).toEqual([
      { event: 'fallback_accepted', primary_model: LEAD, fallback_model: SPARE, duration_ms: 31, ...common },
    ]);
    start('i:s1:m:2', SPARE);
    const answered = {
      type: 'attempt.succeeded',
      attempt: 'i:s1:m:2',
      durationMs: 90.2,
      firstTokenMs: 20,
      outputChars: 1,
    };
    expect(records(tell(answered as EngineEvent))).toEqual([
      {
        ...{ event: 'attempt_succeeded', session_id: 's1', agent: 'build', model: SPARE },
        ...{ attempt: 2, duration_ms: 90, first_token_ms: 20 },
      },
    ]);
    expect(records(tell({ type: 'session.idle', session: 's1' })).at(-1)).toEqual({
      event: 'turn_finished',
      session_id: 's1',
      agent: 'build',
      model: SPARE,
      lead: LEAD,
      switches: 1,
    });
  });

  it('when OpenCode did not accept the new model, then no FALLBACK is written', () => {
    const { start, fail, carried, lines } = open();
    start('i:s1:m:1', LEAD);
    fail('i:s1:m:1');
    expect(records(carried(false)).map(({ event }) => event)).toContain('fallback_failed');
    expect(lines().filter((line) => line.startsWith('[FALLBACK]'))).toEqual([]);
  });
});

describe('given a lead that is out', () => {
  it('when the next message goes to its understudy unasked, then that is a FALLBACK at once', () => {
    const { start, fail, carried, tell } = open();
    start('i:s1:m:1', LEAD);
    fail('i:s1:m:1');
    carried();
    const told = tell({
      type: 'prompt.submitted',
      ...PLACE,
      turn: 't2',
      model: LEAD,
      hostLead: LEAD,
      isExplicit: false,
    });
    expect(told.map(({ line }) => line?.replace(/^\S+ /, '') ?? null)).toEqual([
      '[FALLBACK] session=s1 agent=build from=lead/one to=spare/two reason=rate_limit',
    ]);
    expect(records(told)[0]).toMatchObject({ event: 'fallback_accepted', attempt: null, duration_ms: null });
  });
});

describe('given a short wait that the provider asks for', () => {
  it('when the same model is to be asked again, then a retry is on record, with how long it waits', () => {
    const { start, fail } = open();
    start('i:s1:m:1', LEAD);
    const told = fail('i:s1:m:1', { ...LIMITED, headers: { 'retry-after': '2' } });
    expect(records(told).find(({ event }) => event === 'retry_attempt')).toEqual({
      ...{ event: 'retry_attempt', session_id: 's1', agent: 'build', attempt: 1, error_type: 'rate_limit' },
      ...{ model: LEAD, task: 'hint', wait_ms: 2_000, duration_ms: 40 },
    });
  });
});

describe('given a chain that is out', () => {
  it('when its last model fails, then the record says that it is exhausted', () => {
    const { start, fail, carried } = open();
    for (const [at, model] of [LEAD, SPARE, LAST].entries()) {
      start(`i:s1:m:${at + 1}`, model);
      const told = fail(`i:s1:m:${at + 1}`, { ...LIMITED, headers: { 'retry-after': '900' } });
      if (model === LAST) expect(records(told).map(({ event }) => event)).toContain('fallback_exhausted');
      else carried();
    }
  });
});

describe('given models that are well', () => {
  it('when a session comes to rest, then no HEALTH is written', () => {
    const { start, tell, lines } = open();
    start('i:s1:m:1', LEAD);
    tell({ type: 'attempt.succeeded', attempt: 'i:s1:m:1', durationMs: 9, firstTokenMs: 2, outputChars: 1 });
    tell({ type: 'session.idle', session: 's1' });
    expect(lines()).toEqual([]);
  });

  it('when the user stops a turn, then nothing is detected', () => {
    const { start, fail, entries } = open();
    start('i:s1:m:1', LEAD);
    fail('i:s1:m:1', { phase: 'stream', observed: 'aborted' });
    expect(entries).toEqual([]);
  });
});

describe('given a provider that repeats what it was sent', () => {
  it('when its message is written, then the words in quotes, the key and the address are not in it', () => {
    const { start, fail, entries } = open();
    start('i:s1:m:1', LEAD);
    const message = 'Rate limit for "my secret plan" of ada@example.org with key sk-abcdefghijklmnopqrstuvwxyz123456';
    fail('i:s1:m:1', { ...LIMITED, message });
    const written = JSON.stringify(entries);
    expect(entries[0]?.record.message).toBe('Rate limit for "…" of [e-mail] with key [key]');
    for (const secret of ['secret plan', 'ada@example.org', 'abcdefghij']) expect(written).not.toContain(secret);
  });
});

describe('given two projects', () => {
  it('when a model that failed in both is well again, then both read of it, and each only of its own failures', () => {
    const { start, fail, tell, advance, entries } = open();
    const other = { turn: 't9', session: 's9', directory: '/q', agent: 'build' };
    tell({ type: 'scope.configured', directory: '/q', config: scopeOf([LEAD, SPARE]) });
    start('i:s1:m:1', LEAD);
    tell({ type: 'prompt.submitted', ...other, model: LEAD, hostLead: LEAD, isExplicit: false });
    tell({ type: 'attempt.started', ...other, attempt: 'i:s9:m:1', model: LEAD, purpose: 'turn' });
    fail('i:s1:m:1');
    fail('i:s9:m:1');
    advance(15 * MINUTE_MS);
    const told = entries.filter(({ line }) => line !== null);
    expect(told.map(({ directories, line }) => [directories, /\[([A-Z]+)\]/.exec(line ?? '')?.[1]])).toEqual([
      [['/p'], 'DETECT'],
      [['/q'], 'DETECT'],
      [['/p', '/q'], 'RECOVER'],
      [['/p', '/q'], 'RECOVER'],
    ]);
  });

  it('when the clock tells late, then each line says when it was', () => {
    const { start, fail, advance, entries } = open();
    start('i:s1:m:1', LEAD);
    fail('i:s1:m:1');
    advance(60 * MINUTE_MS);
    const [first, ...later] = entries.filter(({ line }) => line !== null).map(({ line }) => Date.parse(timeIn(line)));
    expect(later.map((at) => Math.round((at - (first ?? 0)) / MINUTE_MS))).toEqual([5, 15]);
  });
});

/** The time a line begins with. */
const timeIn = (line: string | null): string => /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line ?? '')?.[0] ?? '';

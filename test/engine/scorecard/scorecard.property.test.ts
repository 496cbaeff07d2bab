import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entries } from '../../../src/engine/base/table';
import {
  emptyScorecard,
  type Figures,
  record,
  recordAll,
  scorecardOf,
  sessionsIn,
  TOOL_REASONS,
} from '../../../src/engine/scorecard';
import { runs } from '../../support/runs';
import { history, MODELS, play } from './support/history';
import { type Recount, recount } from './support/recount';
import { config, HOUR, stage } from './support/stage';

const RUNS = { numRuns: runs(60) };
const count = <T>(list: readonly T[], is: (one: T) => boolean): number => list.filter(is).length;
const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const whole = (ms: number | null): number => (ms !== null && Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : 0);

/** The figures of one model, from the plain lists of a log. */
function plainFigures({ attempts, turns, moves, holds, flaws }: Recount, model: string) {
  const own = attempts.filter((one) => one.model === model);
  const led = turns.filter((one) => one.lead === model);
  const ended = (end: string): number => count(own, (one) => one.end === end);
  const answered = led.filter((one) => one.end === 'answered');
  return {
    totalCalls: own.length,
    outcomes: {
      success: ended('success'),
      slow: ended('slow'),
      failure: ended('failure'),
      limited: ended('limited'),
      neutral: ended('neutral'),
      inFlight: ended('inFlight'),
    },
    fallbacksOut: count(moves, ({ from }) => from === model),
    fallbacksIn: count(moves, ({ to }) => to === model),
    retries: count(holds, ({ to }) => to === model),
    turns: {
      total: led.length,
      open: count(led, (one) => one.end === 'open'),
      answered: answered.length,
      failed: count(led, (one) => one.end === 'failed'),
      neutral: count(led, (one) => one.end === 'neutral'),
      byLead: count(answered, (one) => one.by === model),
      saved: count(answered, (one) => one.by !== model && one.leadFailed),
      spared: count(answered, (one) => one.by !== model && !one.leadFailed),
    },
    time: {
      lostMs:
        sum(own.filter((one) => one.end === 'failure' || one.end === 'limited').map((one) => whole(one.ms))) +
        sum(holds.filter(({ to }) => to === model).map(({ ms }) => whole(ms))),
    },
    ...plainFlaws(
      own,
      flaws.filter((flaw) => flaw.model === model),
    ),
  };
}

/** What was told of one model's answers, and null where nobody would have told. */
function plainFlaws(attempts: Recount['attempts'], flaws: Recount['flaws']) {
  const flawed = ['empty_response', 'early_termination', 'stream_interrupted'];
  const isAnswer = ({ end, kind }: Recount['attempts'][number]) =>
    end === 'success' || end === 'slow' || flawed.includes(kind ?? '');
  const heard = count(attempts, (one) => one.isHeard && isAnswer(one));
  const tools = flaws.flatMap((flaw) => (flaw.type === 'tool.failed' ? [flaw] : []));
  const of = (reason: string) => count(tools, (tool) => tool.reason === reason);
  const isTold = heard > 0 || tools.length > 0;
  return {
    quality: {
      answers: count(attempts, isAnswer),
      continued: heard > 0 || flaws.length > tools.length ? flaws.length - tools.length : null,
      continuedPerAnswer: heard > 0 ? (flaws.length - tools.length) / heard : null,
      badArgumentsPerAnswer: heard > 0 ? of('validation') / heard : null,
    },
    errors: {
      tool: isTold ? tools.length : null,
      toolReasons: isTold ? Object.fromEntries(TOOL_REASONS.map((reason) => [reason, of(reason)])) : null,
      toolRepeats: isTold ? count(tools, (tool) => tool.isRepeated) : null,
    },
  };
}

function expectWhole({ totalCalls, outcomes, turns }: Figures): void {
  expect(sum(Object.values(outcomes))).toBe(totalCalls);
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThanOrEqual(0);
  expect(turns.open + turns.answered + turns.failed + turns.neutral).toBe(turns.total);
  expect(turns.byLead + turns.saved + turns.spared).toBe(turns.answered);
}

/** Every number anywhere in a value, with where it stands. */
function numbersIn(value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, `${path}.${key}`));
}

describe('given any sequence of events through the real engine', () => {
  it('when anything happened, then attempts = success + slow + failure + limited + neutral + in flight, after every step', () => {
    fc.assert(
      fc.property(history, (commands) => {
        let card = emptyScorecard();
        for (const step of play(commands).steps()) {
          card = record(card, step);
          const { overall, models } = scorecardOf(card, { now: step.now });
          for (const figures of [overall, ...models]) expectWhole(figures);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('when the log is counted plainly, then every model has the figures of the running card', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const on = play(commands);
        const plain = recount(on.steps());
        for (const row of on.report().models) expect(row).toMatchObject(plainFigures(plain, row.model));
        expect(on.report().overall.totalCalls).toBe(plain.attempts.length);
        expect(sum(on.report().switches.map((pattern) => pattern.count))).toBe(plain.moves.length);
      }),
      RUNS,
    );
  });

  it('when the card is rebuilt from the log, with a stored copy taken up half way, then it is the same to the byte', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const on = play(commands);
        const steps = on.steps();
        const half = recordAll(emptyScorecard(), steps.slice(0, steps.length / 2));
        const stored = JSON.parse(JSON.stringify(half)) as typeof half;
        const rebuilt = recordAll(stored, steps.slice(steps.length / 2));
        expect(JSON.stringify(rebuilt)).toBe(JSON.stringify(on.card()));
      }),
      RUNS,
    );
  });

  it('when a step is recorded, then the card it was recorded on is what it was', () => {
    fc.assert(
      fc.property(history, (commands) => {
        let card = emptyScorecard();
        for (const step of play(commands).steps()) {
          const before = JSON.stringify(card);
          const next = record(card, step);
          expect(JSON.stringify(card)).toBe(before);
          card = next;
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('when no session was closed, then the card and the engine have the same number in flight', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const on = play(commands.filter(({ kind }) => kind !== 'close' && kind !== 'again'));
        expect(on.card().inFlightCount).toBe(entries(on.state().attempts).length);
      }),
      RUNS,
    );
  });

  it('when any report is read, then no number is NaN or infinite, and every share is within 0 and 1', () => {
    fc.assert(
      fc.property(history, fc.constantFrom('s1', 's2', undefined), (commands, session) => {
        const report = play(commands).report(session === undefined ? {} : { session });
        for (const [path, value] of numbersIn(report)) {
          expect(Number.isFinite(value), path).toBe(true);
          if (/\.(value|lower|upper|\w*[sS]hare|firstTryRate)$/.test(path))
            expect(value >= 0 && value <= 1, path).toBe(true);
        }
      }),
      RUNS,
    );
  });
});

describe('given any history and its hours', () => {
  const additive = ({
    totalCalls,
    outcomes,
    tokens,
    fallbacksIn,
    fallbacksOut,
    retries,
    time,
    turns,
    failureReasons,
    waits,
  }: Figures) => ({
    ...{ totalCalls, fallbacksIn, fallbacksOut, retries, waits: [waits.count, waits.totalMs] },
    ...{ outcomes, tokens, time, failureReasons, turns: { ...turns, firstTryRate: null } },
  });
  const added = (a: unknown, b: unknown): unknown => {
    if (typeof a !== 'object' || typeof b !== 'object' || !a || !b)
      return a === null ? b : Number(a ?? 0) + Number(b ?? 0);
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const merged = keys.map((key) => [key, added(Reflect.get(a, key), Reflect.get(b, key))] as const);
    return Array.isArray(a) ? merged.map(([, value]) => value) : Object.fromEntries(merged);
  };

  it('when a range of whole hours is read, then it is the sum of its hours, and all hours are the whole', () => {
    fc.assert(
      fc.property(history, fc.nat(20), fc.nat(20), (commands, from, hours) => {
        const on = play(commands);
        const range = { sinceMs: from * HOUR, untilMs: (from + hours) * HOUR };
        const single = Array.from({ length: hours }, (_, at) => (from + at) * HOUR).map((sinceMs) =>
          additive(on.report({ sinceMs, untilMs: sinceMs + HOUR }).overall),
        );
        const nothing = additive(on.report({ sinceMs: 0, untilMs: 0 }).overall);
        expect(additive(on.report(range).overall)).toEqual(single.reduce<unknown>(added, nothing));
        expect(on.report({ sinceMs: 0, untilMs: 10_000 * HOUR })).toEqual({
          ...on.report(),
          range: { sinceMs: 0, untilMs: 10_000 * HOUR },
        });
      }),
      RUNS,
    );
  });

  it('when the sessions are read one by one, then they add up to the whole', () => {
    fc.assert(
      fc.property(history, (commands) => {
        const on = play(commands);
        const parts = sessionsIn(on.card()).map(({ session }) => additive(on.report({ session }).overall));
        const nothing = additive(on.report({ session: 'nobody' }).overall);
        expect(parts.reduce<unknown>(added, nothing)).toEqual(additive(on.report().overall));
      }),
      RUNS,
    );
  });
});

describe('given two histories that share no model, no session and no directory', () => {
  it('when they happen one among the other, then the rows of each are those it has alone', () => {
    const foreign = 'initech/alone';
    fc.assert(
      fc.property(history, fc.array(fc.nat(2), { maxLength: 60 }), (commands, noise) => {
        const alone = play(commands);
        const steps = alone.steps();
        const mixed = stage({}, config());
        let n = 0;
        for (const [at, step] of steps.slice(1).entries()) {
          mixed.tell(step.event, step.now);
          const kind = noise[at];
          if (kind === undefined) continue;
          const where = {
            turn: `n${n}`,
            session: 'noise',
            directory: '/noise',
            agent: 'build',
            model: foreign,
          } as const;
          mixed.tell({ type: 'attempt.started', attempt: `n${n}:1`, ...where, purpose: 'turn' }, step.now);
          if (kind === 0) mixed.answer(`n${n}:1`, step.now);
          if (kind === 1) mixed.fail(`n${n}:1`, 'server_error', step.now);
          n++;
        }
        const rows = mixed.report().models.filter((row) => row.model !== foreign);
        expect(rows).toEqual(alone.report().models);
        expect(MODELS).not.toContain(foreign);
      }),
      RUNS,
    );
  });
});

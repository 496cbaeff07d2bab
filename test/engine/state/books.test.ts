import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineEvent, type EngineState, type Evidence, initialState, standingIn, step } from '../../../src/engine';
import { DEFAULT_HEALTH } from '../../../src/engine/base/config';
import { entries } from '../../../src/engine/base/table';
import { keyBy, unbooked } from '../../../src/engine/state/books';
import { viewOf } from '../../../src/engine/tools';
import { runs } from '../../support/runs';
import { HOUR, MINUTE, NETWORK, NO_KEY, RATE_LIMIT, SECOND, SERVER_ERROR, scope } from '../harness';

const OWN = '/own';
const SHARED = '/shared';
const BOOK = '0123456789ab';
const QUOTA: Evidence = { phase: 'body', status: 500, message: 'Internal error', mapped: { kind: 'quota' } };
const WEEKS: Evidence = { ...QUOTA, headers: { 'retry-after': '2150000' } };

/** Two directories over the same models; the first keeps the books it is given by itself. */
function openWorld(books: Readonly<Record<string, string>> = { '*': BOOK }, own = scope()) {
  let state: EngineState = initialState;
  let now = 0;
  const attempts: Record<string, number> = {};
  const tell = (event: EngineEvent) => {
    const told = step(state, event, now, 0.5);
    state = told.state;
    return told;
  };
  const world = {
    tell,
    after(ms: number) {
      now += ms;
      return world;
    },
    configure: (directory: string, config = scope()) => tell({ type: 'scope.configured', directory, config }),
    prompt: (directory: string, turn: string) =>
      tell({
        ...{ type: 'prompt.submitted', turn, session: `s${directory}`, directory, agent: 'build' },
        ...{ model: 'a/1', hostLead: 'a/1', isExplicit: false },
      }).decisions[0],
    start(directory: string, turn: string, model: string) {
      attempts[directory] = (attempts[directory] ?? 0) + 1;
      const attempt = `${directory}${attempts[directory]}`;
      const who = {
        attempt,
        turn,
        session: `s${directory}`,
        directory,
        agent: 'build',
        model,
        purpose: 'turn',
      } as const;
      tell({ type: 'attempt.started', ...who });
      return attempt;
    },
    failed: (attempt: string, evidence: Evidence) => tell({ type: 'attempt.failed', attempt, evidence, durationMs: 1 }),
    fail(directory: string, turn: string, model: string, evidence: Evidence) {
      return world.failed(world.start(directory, turn, model), evidence);
    },
    use: (directory: string, model: string) => standingIn(state, directory, model, now).use,
    shown: (directory: string, model: string) => standingIn(state, directory, model, now).state,
    view: () => viewOf(state, now),
    state: () => state,
  };
  world.configure(OWN, { ...own, books });
  world.configure(SHARED);
  return world;
}

describe('given a directory that keeps its own book, and one that does not', () => {
  it('when a provider is called spent for weeks in the first, then the second has never heard of it', () => {
    const world = openWorld();
    world.prompt(OWN, 't');
    const { decisions } = world.fail(OWN, 't', 'a/1', WEEKS);
    expect([decisions[0]?.action, world.use(OWN, 'a/1'), world.shown(SHARED, 'a/1')]).toEqual([
      { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 },
      'out',
      'unseen',
    ]);
    expect(world.prompt(SHARED, 'u')?.code).toBe('keep.lead');
  });

  it('when a lead is limited in the second, then the first finds that out by itself', () => {
    const world = openWorld();
    world.prompt(SHARED, 't');
    world.fail(SHARED, 't', 'a/1', RATE_LIMIT);
    expect([world.use(SHARED, 'a/1'), world.use(OWN, 'a/1')]).toEqual(['out', 'first']);
  });

  it('when a key is refused in the first, then the whole provider is blocked there and nowhere else', () => {
    const world = openWorld({ '*': BOOK }, scope({ chain: ['a/1', 'a/2', 'b/1'] }));
    world.prompt(OWN, 't');
    expect(world.fail(OWN, 't', 'a/1', NO_KEY).decisions[0]?.action).toMatchObject({ to: 'b/1' });
    expect([world.shown(OWN, 'a/2'), world.shown(SHARED, 'a/1')]).toEqual(['blocked', 'unseen']);
  });

  it('when only one provider has a book, then what the others do counts everywhere', () => {
    const world = openWorld({ a: BOOK });
    world.prompt(OWN, 't');
    world.fail(OWN, 't', 'a/1', RATE_LIMIT);
    world.fail(OWN, 't', 'b/1', RATE_LIMIT);
    expect([world.use(SHARED, 'a/1'), world.use(SHARED, 'b/1')]).toEqual(['first', 'out']);
  });

  it('when its breaker opens at the first failure for days, then the second counts three, for an hour', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: 24 * HOUR };
    const world = openWorld({ '*': BOOK }, scope({ health: { ...DEFAULT_HEALTH, breaker } }));
    world.prompt(OWN, 't');
    world.fail(OWN, 't', 'a/1', SERVER_ERROR);
    expect(world.shown(OWN, 'a/1')).toBe('open');
    for (const turn of ['u', 'v', 'w']) {
      world.after(2 * MINUTE).prompt(SHARED, turn);
      world.fail(SHARED, turn, 'a/1', SERVER_ERROR);
      expect(world.shown(SHARED, 'a/1')).toBe(turn === 'w' ? 'open' : 'resting');
    }
    expect([world.after(HOUR).use(SHARED, 'a/1'), world.use(OWN, 'a/1')]).toEqual(['first', 'out']);
  });

  it('when it reaches no provider at all, then the machine of the second has its network', () => {
    const world = openWorld();
    world.prompt(OWN, 't');
    for (const model of ['a/1', 'b/1', 'c/1']) world.fail(OWN, 't', model, NETWORK);
    expect(world.state().offline).toBeNull();
    world.prompt(SHARED, 'u');
    expect(world.fail(SHARED, 'u', 'a/1', NETWORK).decisions[0]?.action.kind).toBe('switch');
  });

  it('when a model has flapped in the first, and a person holds it later, then that holds in both', () => {
    const breaker = { ...DEFAULT_HEALTH.breaker, failureThreshold: 1, cooldownMs: MINUTE };
    const world = openWorld({ '*': BOOK }, scope({ health: { ...DEFAULT_HEALTH, breaker, restMs: 0 } }));
    for (const turn of ['t', 'u', 'v']) {
      world.prompt(OWN, turn);
      world.fail(OWN, turn, 'a/1', SERVER_ERROR);
      world.after(2 * MINUTE).tell({ type: 'tick' });
    }
    expect([world.shown(OWN, 'a/1'), world.use(OWN, 'a/1')]).toEqual(['held', 'out']);
    world.after(HOUR).tell({ type: 'tick' });
    expect(world.use(OWN, 'a/1')).toBe('first');
    const hold = { type: 'health.held', model: 'a/1', actor: 'ann' } as const;
    world.tell({ ...hold, state: 'open', forMs: null });
    expect([world.use(OWN, 'a/1'), world.use(SHARED, 'a/1')]).toEqual(['out', 'out']);
    world.tell({ ...hold, state: 'closed', forMs: 60 * MINUTE });
    for (const turn of ['w', 'x', 'y']) {
      world.prompt(OWN, turn);
      world.fail(OWN, turn, 'a/1', SERVER_ERROR);
      world.after(2 * MINUTE).tell({ type: 'tick' });
    }
    expect([world.use(OWN, 'a/1'), world.shown(OWN, 'a/1')]).toEqual(['first', 'held']);
  });

  it('when a person resets the model, then both books are clear; when they isolate it, then it is out in both', () => {
    const world = openWorld();
    for (const directory of [OWN, SHARED]) {
      world.prompt(directory, directory);
      world.fail(directory, directory, 'a/1', RATE_LIMIT);
    }
    world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'me' });
    expect([world.use(OWN, 'a/1'), world.use(SHARED, 'a/1')]).toEqual(['first', 'first']);
    world.tell({ type: 'health.isolated', model: keyBy({ books: { '*': BOOK } }, 'a/1'), actor: 'me' });
    expect([world.use(OWN, 'a/1'), world.use(SHARED, 'a/1')]).toEqual(['out', 'out']);
    world.tell({ type: 'health.released', model: 'a/1', actor: 'me' });
    expect([world.use(OWN, 'a/1'), world.use(SHARED, 'a/1')]).toEqual(['first', 'first']);
  });

  it('when models are shown, then each book has its row, and one whose directory is closed has none', () => {
    const world = openWorld();
    world.prompt(OWN, 't');
    world.fail(OWN, 't', 'a/1', RATE_LIMIT);
    const rows = () =>
      world.view().models.map(({ key, model, apart, standing }) => [key, model, apart, standing.state]);
    expect(rows()[0]).toEqual([`a@${BOOK}/1`, `a@${BOOK}/1`, [OWN], 'cooling']);
    expect(rows()).toContainEqual(['a/1', 'a/1', null, 'unseen']);
    expect(world.view().speakers[0]?.chain[0]).toMatchObject({ model: 'a/1', standing: { state: 'cooling' } });
    world.tell({ type: 'scope.closed', directory: OWN });
    expect(rows().filter(([key]) => key !== unbooked(String(key)))).toEqual([]);
  });

  it('when nobody else has the model, then people are shown its plain name', () => {
    const world = openWorld();
    world.tell({ type: 'scope.closed', directory: SHARED });
    world.prompt(OWN, 't');
    const { facts } = world.fail(OWN, 't', 'a/1', RATE_LIMIT);
    expect(world.view().models[0]).toMatchObject({ key: `a@${BOOK}/1`, model: 'a/1', apart: [OWN] });
    expect(facts.at(-1)).toMatchObject({ type: 'model.changed', model: 'a/1', key: `a@${BOOK}/1`, to: 'cooling' });
    world.tell({ type: 'health.reset', target: { model: 'a/1' }, actor: 'me' });
    expect(world.use(OWN, 'a/1')).toBe('first');
  });
});

it('given 110 projects with books of their own, when one after another is opened and closed, then what is known stays bounded', () => {
  const world = openWorld();
  const chain = Array.from({ length: 10 }, (_, at) => `p/${at}`);
  for (let at = 0; at < 110; at++) {
    const directory = `/p${at}`;
    world.configure(directory, { ...scope({ chain }), books: { '*': at.toString(16).padStart(12, '0') } });
    world.prompt(directory, `t${at}`);
    for (const model of chain) world.fail(directory, `t${at}`, model, RATE_LIMIT);
    world.tell({ type: 'scope.closed', directory });
  }
  const known = entries(world.state().models).map(([key]) => key);
  expect(known.length).toBeLessThanOrEqual(1_020);
  expect(known).toContain(`p@${(109).toString(16).padStart(12, '0')}/9`);
});

it('given a provider called as every object’s parts are, when others have books, then it has none', () => {
  expect([keyBy({ books: { a: BOOK } }, 'constructor/1'), keyBy({ books: { '*': BOOK } }, 'toString/1')]).toEqual([
    'constructor/1',
    `toString@${BOOK}/1`,
  ]);
});

describe('given a request whose account is seen when it leaves', () => {
  it('when it is another one, then what comes of it stands in the book of that account', () => {
    const world = openWorld({});
    world.prompt(OWN, 't');
    const attempt = world.start(OWN, 't', 'a/1');
    world.configure(OWN, { ...scope(), books: { a: BOOK } });
    world.failed(attempt, NO_KEY);
    expect([world.shown(OWN, 'a/1'), world.shown(SHARED, 'a/1')]).toEqual(['blocked', 'ready']);
  });

  it('when its directory is closed meanwhile, then it still stands there', () => {
    const world = openWorld();
    world.prompt(OWN, 't');
    const attempt = world.start(OWN, 't', 'a/1');
    world.tell({ type: 'scope.closed', directory: OWN });
    world.failed(attempt, NO_KEY);
    expect(world.shown(SHARED, 'a/1')).toBe('unseen');
  });
});

it('given any history of a directory with its own book, then the other directory decides as if it were not there', () => {
  const evidence = fc.constantFrom<Evidence>(RATE_LIMIT, SERVER_ERROR, NO_KEY, NETWORK, WEEKS);
  const move = fc.record({
    directory: fc.constantFrom(OWN, SHARED),
    model: fc.constantFrom('a/1', 'b/1', 'c/1'),
    evidence: fc.option(evidence, { nil: null }),
    waitMs: fc.integer({ min: 0, max: 10 * MINUTE }),
  });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const told = (isAlone: boolean) => {
        const world = openWorld();
        return moves.flatMap(({ directory, model, evidence: what, waitMs }, at) => {
          world.after(waitMs + SECOND).tell({ type: 'tick' });
          if (isAlone && directory === OWN) return [];
          const decision = world.prompt(directory, `t${at}`);
          const attempt = world.start(directory, `t${at}`, model);
          const end = what
            ? world.failed(attempt, what)
            : world.tell({ type: 'attempt.succeeded', attempt, durationMs: 1, firstTokenMs: 1, outputChars: 9 });
          return directory === SHARED ? [[decision, end.decisions, world.use(SHARED, 'a/1')]] : [];
        });
      };
      expect(told(false)).toEqual(told(true));
    }),
    { numRuns: runs(2_000) },
  );
});

import { describe, expect, it } from 'vitest';
import { type EngineEvent, initialState } from '../../../src/engine';
import {
  asSynced,
  clearedBetween,
  isNews,
  joined,
  mergeShared,
  NOTHING_SHARED,
  type SharedHealth,
  sharedOf,
} from '../../../src/engine/tools';
import { EVIDENCE, HOUR, MINUTE, World } from '../world';

/** A host whose clock is `offsetMs` behind the wall, and what it says to others. */
class Host extends World {
  known: SharedHealth = NOTHING_SHARED;
  constructor(readonly offsetMs = 0) {
    super(['a/1', 'b/1']);
  }
  /** What happens, with what it clears written down. */
  live(happen: () => void): this {
    const before = this.state;
    happen();
    this.known = mergeShared(this.known, clearedBetween(before, this.state, this.now, this.offsetMs));
    return this;
  }
  says(): SharedHealth {
    return JSON.parse(JSON.stringify(sharedOf(this.state, this.known, this.offsetMs))) as SharedHealth;
  }
  hears(others: SharedHealth): this {
    this.known = joined(this.says(), others);
    this.tell({ type: 'health.synced', health: asSynced(this.known, this.now, this.offsetMs) });
    return this;
  }
}

const limitedFor = (seconds: number) => ({ ...EVIDENCE.rateLimit, headers: { 'retry-after': String(seconds) } });

/** Two hosts at the same moment of the wall clock. */
function twoHosts(): [Host, Host] {
  const [one, other] = [new Host(5_000.25), new Host(77_000.5)];
  one.now = 1_000_000;
  other.now = 1_000_000 + 5_000.25 - 77_000.5;
  return [one, other];
}

describe('given two hosts without an app', () => {
  it('when one finds a model limited for an hour, then it is so for the other, to the same moment of the wall clock', () => {
    const [one, other] = twoHosts();
    one.failingAlone('a/1', limitedFor(3_600));
    other.hears(one.says());
    expect([other.standing('a/1').state, other.standing('a/1').inMs]).toEqual(['cooling', expect.closeTo(HOUR, -0.5)]);
    expect(other.says().models).toEqual(one.says().models);
  });

  it('when both find it limited at once, then the longer limit counts for both', () => {
    const [one, other] = twoHosts();
    one.failingAlone('a/1', limitedFor(3_600));
    other.wait(5).failingAlone('a/1', limitedFor(600));
    one.wait(5);
    const [first, second] = [one.says(), other.says()];
    one.hears(second);
    other.hears(first);
    expect([one, other].map((host) => Math.round(host.standing('a/1').inMs ?? 0))).toEqual([HOUR - 5, HOUR - 5]);
  });

  it('when one resets the model by hand, then the older limit is over for the other as well', () => {
    const [one, other] = twoHosts();
    one.failingAlone('a/1', limitedFor(3_600));
    other.hears(one.says());
    one.wait(MINUTE).live(() => one.tell({ type: 'health.reset', target: { model: 'a/1' } } as EngineEvent));
    other.wait(MINUTE).hears(one.says());
    expect(other.standing('a/1')).toMatchObject({ state: 'ready', use: 'first' });
  });

  it('when the other fails after that reset and before it has heard of it, then its newer limit counts for both', () => {
    const [one, other] = twoHosts();
    const { attempt } = other.start('t', 'a/1');
    one.failingAlone('a/1', limitedFor(3_600));
    other.hears(one.says());
    one.wait(MINUTE).live(() => one.tell({ type: 'health.reset', target: { model: 'a/1' } } as EngineEvent));
    other.wait(MINUTE + 10).fail(attempt, limitedFor(7_200));
    one.wait(10).hears(other.says());
    other.hears(one.says());
    expect([one, other].map((host) => Math.round(host.standing('a/1').inMs ?? 0))).toEqual([2 * HOUR, 2 * HOUR]);
  });

  it('when a request of one is answered, then what the other found out after it was sent counts for both', () => {
    const found = (atMs: number) => {
      const [one, other] = twoHosts();
      one.failingAlone('a/1', limitedFor(400));
      one.wait(HOUR);
      const { attempt } = one.start('t', 'a/1');
      other.wait(HOUR + atMs).failingAlone('a/1', limitedFor(3_600));
      one.wait(2_000).live(() => one.succeed(attempt));
      one.hears(other.says());
      other.wait(2_000 - atMs).hears(one.says());
      return [one, other].map((host) => host.standing('a/1').state);
    };
    // Within one millisecond nobody can tell which was first.
    expect([-1_000, -2, 0, 1, 1_000].map(found)).toEqual([
      ['ready', 'ready'],
      ['ready', 'ready'],
      ['cooling', 'cooling'],
      ['cooling', 'cooling'],
      ['cooling', 'cooling'],
    ]);
  });

  it('when each has seen failures, then the breaker counts all of them', () => {
    const [one, other] = twoHosts();
    one.failingAlone('a/1', EVIDENCE.serverError);
    other.wait(10).failingAlone('a/1', EVIDENCE.serverError);
    one.wait(10).hears(other.says());
    one.failingAlone('a/1', EVIDENCE.serverError);
    expect(one.standing('a/1').state).toBe('open');
    expect(other.hears(one.says()).standing('a/1').state).toBe('open');
  });

  it('when an app had told both of one failure 1 ms apart, then it is counted once', () => {
    const [one, other] = twoHosts();
    one.failingAlone('a/1', EVIDENCE.serverError);
    other.wait(1).failingAlone('a/1', EVIDENCE.serverError);
    const { breaker } =
      other
        .hears(one.says())
        .says()
        .models.find(([model]) => model === 'a/1')?.[1] ?? {};
    expect(breaker).toMatchObject({ kind: 'closed', failures: [expect.any(Number)] });
  });

  it('when one makes the probe of an open breaker, then the other waits, and its answer closes it for both', () => {
    const [one, other] = twoHosts();
    for (let count = 0; count < 3; count++) one.wait(5).failingAlone('a/1', EVIDENCE.serverError);
    other.wait(15).hears(one.says());
    for (const host of [one, other]) host.wait(HOUR);
    const { attempt } = one.start('t', 'a/1');
    expect(other.hears(one.says()).standing('a/1').state).toBe('probing');
    one.wait(900).live(() => one.succeed(attempt));
    expect(other.wait(900).hears(one.says()).standing('a/1').state).toBe('ready');
  });

  it('when a probe is handed back, then the next one may make it', () => {
    const [one, other] = twoHosts();
    for (let count = 0; count < 3; count++) one.failingAlone('a/1', EVIDENCE.serverError);
    one.wait(HOUR);
    const { attempt } = one.start('t', 'a/1');
    other.wait(HOUR).hears(one.says());
    one.tell({ type: 'attempt.aborted', attempt });
    expect(other.hears(one.says()).standing('a/1').use).not.toBe('out');
  });

  it('when the way to a provider is open again, then failures before that count for neither', () => {
    const [one, other] = twoHosts();
    for (let count = 0; count < 4; count++) one.failingAlone('a/1', EVIDENCE.network);
    other.hears(one.says());
    one.wait(10).live(() => one.answering('t', 'a/1'));
    other.wait(10).hears(one.says());
    other.failingAlone('a/1', EVIDENCE.network);
    expect(other.standing('a/1').state).not.toBe('open');
  });
});

describe('given a request', () => {
  it('when it leaves or is answered, then others need not know', () => {
    const host = new Host();
    const before = host.state;
    host.answering('t', 'a/1');
    expect(isNews(before, host.state)).toBe(false);
  });

  it('when it fails, then they do', () => {
    const host = new Host();
    const { attempt } = host.start('t', 'a/1');
    const before = host.state;
    host.fail(attempt, EVIDENCE.rateLimit);
    expect([isNews(before, host.state), isNews(host.state, initialState)]).toEqual([true, false]);
  });
});

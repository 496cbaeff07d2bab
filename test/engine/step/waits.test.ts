import { describe, expect, it } from 'vitest';
import type { ScopeConfig } from '../../../src/engine';
import { viewOf } from '../../../src/engine/tools';
import { EVIDENCE, MINUTE, World } from '../world';

const waitOf = (world: World) => viewOf(world.state, world.now).speakers[0]?.waits;

describe('given an agent without a fallback model', () => {
  it('when its model is limited for a while, then its turn waits for its host, until the provider’s own time', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    expect(waitOf(world)).toBeUndefined();
    world.failing('t1', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '832' } });
    const about = { by: 'host', model: 'a/1', kind: 'rate_limit', status: 429, since: world.now, at: world.now };
    expect(waitOf(world)).toEqual({ ...about, until: world.now + 832_000 });
  });

  it('when the provider says no time, then nobody knows until when', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    expect(waitOf(world)).toMatchObject({ by: 'host', kind: 'server_error', until: null });
  });

  it('when the host asks again, then it waits no longer; when that fails, it does anew; at rest it does not', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    world.wait(MINUTE);
    const { attempt } = world.start('t1', 'a/1');
    expect(waitOf(world)).toBeUndefined();
    world.fail(attempt, EVIDENCE.serverError);
    expect(waitOf(world)).toMatchObject({ since: MINUTE });
    world.tell({ type: 'session.idle', session: 's' });
    expect(waitOf(world)).toBeUndefined();
  });

  it('when the host asks again and again, then it waits since the first failure, however short each pause is', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    for (const at of [2_000, 4_000, 6_000]) {
      world.wait(2_000);
      world.tell({ type: 'host.retrying', turn: 't1' });
      world.failing('t1', 'a/1', EVIDENCE.serverError);
      expect(waitOf(world)).toMatchObject({ by: 'host', since: 0, at, until: null });
    }
    const { attempt } = world.start('t1', 'a/1');
    world.succeed(attempt);
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    expect(waitOf(world)).toMatchObject({ since: 6_000 });
  });

  it('when the provider says in words alone when it is back, then nobody knows when its host asks, which reads no words', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', { ...EVIDENCE.rateLimit, message: 'Rate limit reached. Try again in 5 hours.' });
    expect(waitOf(world)).toMatchObject({ by: 'host', until: null });
  });

  it('when the next message of its session asks, then what an earlier one waited for is over', () => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '600' } });
    world.prompt('t2');
    expect(waitOf(world)).toBeDefined();
    world.start('t2', 'a/1');
    expect(waitOf(world)).toBeUndefined();
  });

  it.each([
    ['the request itself is at fault', EVIDENCE.invalid],
    ['a person has to mend the key', EVIDENCE.auth],
  ])('when %s, then its host does not ask again, and nothing waits', (_, evidence) => {
    const world = new World(['a/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', evidence);
    expect(waitOf(world)).toBeUndefined();
  });
});

describe('given a chain', () => {
  it('when the host could not carry the switch out, then the failure has gone to it, and the turn stands still', () => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.tell({ type: 'switch.carried', turn: 't1', from: 'a/1', ok: false, durationMs: 3, reason: 'no' });
    const about = { by: 'host', model: 'a/1', kind: 'rate_limit', status: 429, since: world.now, until: null };
    expect(waitOf(world)).toEqual(about);
  });

  it('when there is one of last resort, or none while fallback is off, then an agent with one model is not alone', () => {
    const alone = (chain: readonly string[], changes: Partial<ScopeConfig> = {}) => {
      const world = new World(chain, changes);
      world.prompt('t1');
      return viewOf(world.state, world.now).speakers[0]?.isAlone;
    };
    expect([alone(['a/1']), alone(['a/1', 'b/1']), alone(['a/1'], { backupModel: 'z/9' })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(alone(['a/1'], { enabled: false })).toBe(false);
  });

  it('when the next model takes over, then nothing waits', () => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    expect(waitOf(world)).toBeUndefined();
  });

  it('when the provider asks for four seconds, then the turn waits that long for the same model', () => {
    const world = new World();
    world.prompt('t1');
    world.failing('t1', 'a/1', { ...EVIDENCE.rateLimit, headers: { 'retry-after': '4' } });
    expect(waitOf(world)).toMatchObject({ by: 'hold', model: 'a/1', until: world.now + 4_000 });
  });
});

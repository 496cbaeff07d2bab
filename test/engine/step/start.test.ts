import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../src/engine/tools';
import { finishedBy } from '../asides';
import { EVIDENCE, MINUTE, outline, World } from '../world';

describe('given a model that another session has just found out', () => {
  it('when a request for it is about to leave, then it goes elsewhere without having been asked', () => {
    const world = new World();
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    expect([world.start('t1', 'a/1').decision, world.state.attempts.flat()]).toEqual([
      {
        turn: 't1',
        attempt: null,
        session: 's',
        agent: 'build',
        action: { kind: 'switch', from: 'a/1', to: 'b/1', position: 1 },
        code: 'redirect.rate_limit',
        failure: null,
        trace: [
          {
            model: 'a/1',
            position: 0,
            verdict: 'skipped',
            code: 'limit.rate_limit',
            state: 'cooling',
            backInMs: 5 * MINUTE,
          },
          { model: 'b/1', position: 1, verdict: 'chosen', code: 'chain.first', state: 'unseen', backInMs: null },
          { model: 'c/1', position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
        ],
      },
      [],
    ]);
  });

  it('when its turn has 1 switch left, then being sent elsewhere has not used it', () => {
    const world = new World(['a/1', 'b/1', 'c/1'], { maxFallbackDepth: 1 });
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.start('t1', 'a/1');
    expect(world.failing('t1', 'b/1', EVIDENCE.serverError)?.code).toBe('switch.server_error');
  });

  it('when the request is a title, then it is let go', () => {
    const world = new World();
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    expect(world.start('t1', 'a/1', { purpose: 'internal' }).decision).toBeNull();
  });

  it('when it only rests, then it is let go: it was chosen as it is', () => {
    const world = new World();
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.serverError);
    expect(world.start('t1', 'a/1').decision).toBeNull();
  });

  it('when nobody else is left either, then the turn ends', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.failingAlone('b/1', EVIDENCE.auth);
    expect(outline(world.start('t1', 'a/1').decision)).toEqual({
      kind: 'exhausted',
      soonest: { model: 'a/1', inMs: 5 * MINUTE },
      code: 'exhausted.cooling',
    });
  });

  it('when nobody but the backup model is left, then it speaks', () => {
    const world = new World(['a/1', 'b/1'], { backupModel: 'z/1' });
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.failingAlone('b/1', EVIDENCE.auth);
    expect(outline(world.start('t1', 'a/1').decision)).toEqual({
      kind: 'switch',
      from: 'a/1',
      to: 'z/1',
      position: 2,
      code: 'redirect.rate_limit',
    });
  });

  it('when OpenCode shall go on by itself and nobody is left, then the request is let go', () => {
    const world = new World(['a/1', 'b/1'], { onExhausted: 'native' });
    world.prompt('t1');
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.failingAlone('b/1', EVIDENCE.auth);
    expect(world.start('t1', 'a/1').decision).toBeNull();
  });
});

describe('given a turn that has ended for want of a model', () => {
  it('when OpenCode asks again while nobody is back, then the request is not sent', () => {
    const world = new World(['a/1', 'b/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.rateLimit);
    world.failing('t1', 'b/1', EVIDENCE.rateLimit);
    expect(world.start('t1', 'b/1').decision?.action.kind).toBe('exhausted');
  });

  it('when a model is back and answers it after all, then the turn counts as finished', () => {
    const world = new World(['a/1', 'b/1']);
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    world.prompt('t1');
    world.wait(5 * MINUTE).answering('t1', 'a/1');
    expect(world.tell({ type: 'session.idle', session: 's' }).facts).toMatchObject(finishedBy('a/1'));
  });
});

describe('given a companion that is loaded in the middle of a turn', () => {
  it('when a request leaves without its prompt having been told, then the request opens the turn', () => {
    const world = new World();
    expect(outline(world.failing('t1', 'a/1', EVIDENCE.serverError))).toEqual({
      kind: 'switch',
      from: 'a/1',
      to: 'b/1',
      position: 1,
      code: 'switch.server_error',
    });
  });

  it('when that request is a title, then no agent called title is shown', () => {
    const world = new World();
    world.start('t1', 'a/1', { purpose: 'internal', agent: 'title' });
    expect(viewOf(world.state, 0).speakers).toEqual([]);
  });
});

describe('given OpenCode, which goes on with another model than was expected', () => {
  it('when its request leaves, then the turn follows', () => {
    const world = new World();
    world.prompt('t1');
    world.answering('t1', 'c/1');
    expect(world.tell({ type: 'session.idle', session: 's' }).facts).toMatchObject(finishedBy('c/1'));
  });
});

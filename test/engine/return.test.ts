import { describe, expect, it } from 'vitest';
import { EVIDENCE, MINUTE, outline, SECOND, World } from './world';

const LARGE = { 'a/1': { context: 200_000 }, 'b/1': { context: 8_000 }, 'c/1': { context: 100_000 } };
const TOO_LONG = { phase: 'body', status: 400, code: 'context_length_exceeded', message: 'too long' } as const;

/** A turn that left a/1 for b/1, which answered; 61 s later a/1 rests no more. */
function moved(
  chain: readonly string[] = ['a/1', 'b/1', 'c/1'],
  changes: ConstructorParameters<typeof World>[1] = {},
): World {
  const world = new World(chain, changes);
  world.prompt('t1');
  world.failing('t1', 'a/1', EVIDENCE.serverError);
  world.answering('t1', 'b/1');
  world.wait(61 * SECOND);
  return world;
}

describe('given a turn that left its lead and was answered since', () => {
  it('when its understudy fails, then it goes on along the chain although the lead is ready', () => {
    const world = moved();
    const decision = world.failing('t1', 'b/1', EVIDENCE.serverError);
    expect([outline(decision), decision?.trace.map(({ model, code }) => `${model} ${code}`)]).toEqual([
      { kind: 'switch', from: 'b/1', to: 'c/1', position: 2, code: 'switch.server_error' },
      ['a/1 chain.left', 'b/1 chain.tried', 'c/1 chain.first'],
    ]);
  });

  it('when the next model rests, then even that one is asked before the lead', () => {
    const world = moved();
    world.failingAlone('c/1', EVIDENCE.serverError);
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'c/1' });
  });

  it('when another session finds its understudy out, then the request goes on along the chain', () => {
    const world = moved();
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    expect(outline(world.start('t1', 'b/1').decision)).toEqual({
      kind: 'switch',
      from: 'b/1',
      to: 'c/1',
      position: 2,
      code: 'redirect.rate_limit',
    });
  });

  it('when the model of last resort is free, then it is asked before the lead', () => {
    const world = moved(['a/1', 'b/1'], { backupModel: 'z/1' });
    expect(outline(world.failing('t1', 'b/1', EVIDENCE.serverError))).toMatchObject({ kind: 'switch', to: 'z/1' });
  });

  it('when nobody else is left, then the lead again is better than an error', () => {
    const world = moved(['a/1', 'b/1']);
    const decision = world.failing('t1', 'b/1', EVIDENCE.serverError);
    expect([outline(decision), decision?.trace.map(({ verdict, code }) => `${verdict} ${code}`)]).toEqual([
      { kind: 'switch', from: 'b/1', to: 'a/1', position: 0, code: 'switch.server_error' },
      ['chosen chain.again', 'failed chain.tried'],
    ]);
  });

  it('when the conversation has outgrown its understudy, then another larger model is asked before the lead', () => {
    const larger = (chain: readonly string[]): unknown => {
      const world = moved(chain, { models: LARGE });
      // The first time OpenCode compacts the conversation itself.
      world.failing('t1', 'b/1', TOO_LONG);
      return outline(world.failing('t1', 'b/1', TOO_LONG));
    };
    expect([larger(['a/1', 'b/1', 'c/1']), larger(['a/1', 'b/1'])]).toMatchObject([
      { code: 'switch.larger', to: 'c/1' },
      { code: 'switch.larger', to: 'a/1' },
    ]);
  });

  it('when the same message is told again, then its lead stays left', () => {
    const world = moved();
    expect(outline(world.prompt('t1'))).toMatchObject({ kind: 'redirect', to: 'b/1' });
  });

  it('when the next message comes, then it goes to the lead', () => {
    const world = moved();
    expect(outline(world.prompt('t2', { model: 'b/1' }))).toEqual({ kind: 'home', to: 'a/1', code: 'home.ready' });
  });
});

describe('given a turn that began on an understudy, because its lead was out', () => {
  it('when the lead is ready again and the understudy fails, then it goes on along the chain', () => {
    const world = new World();
    world.failingAlone('a/1', EVIDENCE.rateLimit);
    world.prompt('t1');
    world.wait(15 * MINUTE);
    expect([world.standing('a/1').use, outline(world.failing('t1', 'b/1', EVIDENCE.serverError))]).toEqual([
      'first',
      { kind: 'switch', from: 'b/1', to: 'c/1', position: 2, code: 'switch.server_error' },
    ]);
  });
});

describe('given a turn whose switch could not be carried out', () => {
  it('when the model it wanted to leave answers and another fails, then that model was never left', () => {
    const world = new World(['a/1', 'b/1', 'c/1']);
    world.prompt('t1');
    world.failing('t1', 'a/1', EVIDENCE.serverError);
    world.tell({ type: 'switch.carried', turn: 't1', from: 'a/1', ok: false, durationMs: 5 });
    world.answering('t1', 'a/1');
    world.failing('t1', 'b/1', EVIDENCE.serverError);
    expect(world.decisions.at(-1)?.action).toMatchObject({ kind: 'switch', from: 'b/1', to: 'a/1' });
  });
});

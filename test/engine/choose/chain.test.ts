import { describe, expect, it } from 'vitest';
import { classify, type Failure } from '../../../src/engine';
import { type Walk, walkChain } from '../../../src/engine/choose/chain';
import { createEngine, scope } from '../harness';
import { EVIDENCE, MINUTE, World } from '../world';

const CHAIN = ['a/1', 'b/1', 'b/2', 'c/1'];

const walked = (world: World, question: { tried?: string[]; failure?: Failure; from?: string } = {}): Walk => {
  const { tried = [], ...rest } = question;
  return walkChain(world.state, CHAIN, { now: world.now, tried: tried.map((model) => ({ model })), ...rest });
};
const codes = ({ trace }: Walk): string[] => trace.map(({ model, verdict, code }) => `${model} ${verdict} ${code}`);

describe('given an agent without a chain', () => {
  it('when its message comes, then its model is chosen as the only one', () => {
    expect(createEngine(scope({ chain: [] })).prompt('t').trace).toMatchObject([
      { model: 'a/1', verdict: 'chosen', code: 'chain.alone' },
    ]);
  });
});

describe('given a chain of four', () => {
  it('when all are well, then the first is chosen and the others are told as later', () => {
    expect(walked(new World(CHAIN))).toEqual({
      chosen: { model: 'a/1', position: 0 },
      again: null,
      shorts: new Map(),
      drains: new Map(),
      soonest: null,
      trace: [
        { model: 'a/1', position: 0, verdict: 'chosen', code: 'chain.first', state: 'unseen', backInMs: null },
        { model: 'b/1', position: 1, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
        { model: 'b/2', position: 2, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
        { model: 'c/1', position: 3, verdict: 'skipped', code: 'chain.later', state: 'unseen', backInMs: null },
      ],
    });
  });

  it('when the first was tried and the second cools, then the third is chosen and each has its reason', () => {
    const world = new World(CHAIN);
    world.failingAlone('b/1', EVIDENCE.rateLimit);
    expect(codes(walked(world, { tried: ['a/1'] }))).toEqual([
      'a/1 failed chain.tried',
      'b/1 skipped limit.rate_limit',
      'b/2 chosen chain.first',
      'c/1 skipped chain.later',
    ]);
  });

  it('when a whole provider failed, then all its models are skipped in one step', () => {
    const failure = classify(EVIDENCE.network);
    expect(codes(walked(new World(CHAIN), { tried: ['b/1'], failure, from: 'b/1' }))).toEqual([
      'a/1 chosen chain.first',
      'b/1 failed chain.tried',
      'b/2 skipped provider.failed',
      'c/1 skipped chain.later',
    ]);
  });

  it('when the first rests, then it is chosen only when no other is usable', () => {
    const world = new World(CHAIN);
    world.failingAlone('a/1', EVIDENCE.serverError);
    expect([walked(world).chosen, walked(world, { tried: ['b/1', 'b/2', 'c/1'] }).chosen]).toEqual([
      { model: 'b/1', position: 1 },
      { model: 'a/1', position: 0 },
    ]);
  });

  it('when two rest, then the earlier of them is the last resort', () => {
    const world = new World(CHAIN);
    world.failingAlone('b/1', EVIDENCE.serverError);
    world.failingAlone('c/1', EVIDENCE.serverError);
    expect(codes(walked(world, { tried: ['a/1', 'b/2'] }))).toEqual([
      'a/1 failed chain.tried',
      'b/1 chosen chain.last',
      'b/2 failed chain.tried',
      'c/1 skipped rest.server_error',
    ]);
  });

  it('when all are out, then nobody is chosen and the soonest by the clock is named', () => {
    const world = new World(CHAIN);
    world.failingAlone('a/1', EVIDENCE.auth);
    world.failingAlone('b/1', EVIDENCE.quota);
    world.failingAlone('c/1', EVIDENCE.rateLimit);
    const { chosen, soonest } = walked(world);
    expect({ chosen, soonest }).toEqual({ chosen: null, soonest: { model: 'c/1', inMs: 5 * MINUTE } });
  });

  it('when all are out and only a person can mend it, then there is no soonest', () => {
    const world = new World(CHAIN);
    for (const model of ['a/1', 'b/1', 'c/1']) world.failingAlone(model, EVIDENCE.auth);
    const { chosen, soonest } = walked(world);
    expect({ chosen, soonest }).toEqual({ chosen: null, soonest: null });
  });
});

describe('given ids with more than one slash', () => {
  it('when a router fails as a whole, then all its vendors are skipped', () => {
    const world = new World();
    const chain = ['openrouter/anthropic/claude', 'openrouter/openai/gpt:free', 'openai/gpt'];
    const failure = classify(EVIDENCE.network);
    const from = 'openrouter/anthropic/claude';
    const { chosen } = walkChain(world.state, chain, { now: 0, tried: [{ model: from }], failure, from });
    expect(chosen).toEqual({ model: 'openai/gpt', position: 2 });
  });
});

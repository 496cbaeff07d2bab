import { describe, expect, it } from 'vitest';
import { OracleResilienceAdapter } from '../../../docs/examples/oracle-resilience-adapter';
import { VirtualClock } from './virtual-clock';

const CHAIN = {
  primaryModel: 'claude-3.5-sonnet',
  fallbackModels: ['gpt-4', 'gemini-pro'],
  circuitBreaker: { failureThreshold: 3, cooldownMs: 3_600_000 },
} as const;

describe('given the adapter of the examples', () => {
  it('when its primary model fails, then gpt-4 answers', async () => {
    const oracle = new OracleResilienceAdapter(CHAIN);
    expect(await oracle.consult('DECISION_100', 'context')).toMatchObject({
      value: 'DECISION_100: approved, with 82 of 100 points',
      model: 'gpt-4',
      attempts: 2,
      switches: 1,
    });
    expect(oracle.health().map(({ state }) => state)).toEqual(['resting', 'ready', 'unseen']);
  });

  it('when a context is too long, then the same model is asked once more with its second half', async () => {
    const asked: string[] = [];
    const oracle = new OracleResilienceAdapter({
      ...CHAIN,
      clock: new VirtualClock(),
      ask: async (model, { context }) => {
        asked.push(`${model}: ${context}`);
        if (context.length > 4) throw Object.assign(new Error('prompt is too long'), { status: 400 });
        return 'approved';
      },
    });
    expect(await oracle.consult('DECISION_100', '12345678')).toMatchObject({ model: 'claude-3.5-sonnet', attempts: 2 });
    await expect(oracle.consult('DECISION_101', '1234567890')).rejects.toThrow('prompt is too long');
    expect(asked).toEqual([
      'claude-3.5-sonnet: 12345678',
      'claude-3.5-sonnet: 5678',
      'claude-3.5-sonnet: 1234567890',
      'claude-3.5-sonnet: 67890',
    ]);
  });

  it('when one model fails 3 times in the hour, then it is left alone for an hour, and reset gives it another chance', async () => {
    const clock = new VirtualClock();
    const oracle = new OracleResilienceAdapter({ ...CHAIN, clock });
    for (const _ of [1, 2, 3]) {
      await oracle.consult('DECISION_100', 'context');
      await clock.advance(60_000);
    }
    expect(oracle.health()[0]).toMatchObject({ state: 'open', backInMs: 3_540_000 });
    oracle.reset('claude-3.5-sonnet');
    expect(oracle.health()[0]).toMatchObject({ state: 'ready' });
  });
});

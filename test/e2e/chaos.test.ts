import { describe, expect, it } from 'vitest';
import { runChaos } from '../support/chaos/run';

const SEED = 20_261_121;

describe('given two OpenCodes, four conversations, and everything that can go wrong', () => {
  it('when 24 turns are played, then every promise holds', async () => {
    const report = await runChaos({ seed: SEED, turns: 24, sessions: 4 });
    expect([report.broken, report.counts]).toEqual([[], expect.objectContaining({ turns: 24 })]);
  });
});

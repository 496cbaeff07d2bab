import { describe, expect, it } from 'vitest';
import { runChaos } from '../support/chaos/run';

/** `UNDERSTUDY_SEED` plays a run again, as far as two processes can be played again. */
const seed = Number(process.env.UNDERSTUDY_SEED ?? Date.now() % 1_000_000);

describe('given two OpenCodes, six conversations, and everything that can go wrong', () => {
  it('when 200 turns are played, then every promise holds', async () => {
    const report = await runChaos({ seed, turns: 200, sessions: 6 });
    console.log(`seed ${seed}\n${JSON.stringify(report.counts, null, 2)}`);
    expect(report.broken).toEqual([]);
  });
});

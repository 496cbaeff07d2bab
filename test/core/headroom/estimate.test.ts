import { describe, expect, it } from 'vitest';
import type { SeenWindow } from '../../../src/engine';
import type { CompanionEvent } from '../../../src/protocol';
import { CHAIN, COMPANION, DIRECTORY, openTestCore, prompted, scopeOf, started } from '../virtual-core';

describe('given a limit that a user has entered, counted as used up, and estimates that are trusted', () => {
  it('when an agent has moved for it, then its return is told as an estimate, and not as its provider’s word', async () => {
    const { core, tell } = openTestCore();
    core.connected(COMPANION);
    const headroom = { act: 'move', moveAt: 0.97, trustsEstimates: true } as const;
    tell({ type: 'scope.configured', directory: DIRECTORY, config: { ...scopeOf(), headroom } } as CompanionEvent);
    const window: SeenWindow = {
      ...{ id: 'counted-requests-3-5h', unit: 'requests', lengthMs: 18_000_000, of: 'account', used: 1, limit: 3 },
      ...{ remaining: 0, resetInMs: 3_600_000, refills: 'at_reset', charges: 'used' },
    };
    tell({ type: 'headroom.counted', accounts: [['lead', [window]]] });
    tell(prompted());
    tell(started({ model: CHAIN[1] }));
    const { sessions } = await core.host.handlers['snapshot.get'](null);
    const [row] = sessions.flatMap(({ agents }) => agents);
    expect(row).toMatchObject({
      active: CHAIN[1],
      why: { source: 'estimate', until: expect.any(Number), near: { isEstimate: true } },
    });
  });
});

import { describe, expect, it } from 'vitest';
import { DEFAULT_HEALTH, type SeenWindow, SWIFT } from '../../../src/engine';
import { refusalOf } from '../../../src/features/council/plugin/refusal';
import { createBrain } from '../../../src/plugin/base/brain';

const HOUR_MS = 3_600_000;
const DIRECTORY = '/home/ada/shop';
const CODEX = 'codex/gpt-5';
const COUNCIL = { ...SWIFT, rate_limit: [{ step: 'ask' }] as const };

const fiveHours = (used: number): SeenWindow => ({
  ...{ id: '5h', unit: 'share', lengthMs: 5 * HOUR_MS, of: 'account', used, limit: null, remaining: null },
  ...{ resetInMs: HOUR_MS, refills: 'at_reset', charges: 'used' },
});

/** A companion whose user moves agents at 97 % of a plan, and whose agents ask first. */
function companion() {
  const brain = createBrain(
    () => 0,
    () => 0.5,
    null,
  );
  const agents = { '*': { chain: [CODEX, 'other/big'], policy: COUNCIL } };
  const rules = {
    enabled: true,
    health: DEFAULT_HEALTH,
    maxFallbackDepth: 3,
    onExhausted: 'error' as const,
    backupModel: null,
  };
  const config = { ...rules, agents, abilities: ['ask' as const], headroom: { act: 'move' as const, moveAt: 0.97 } };
  brain.tell({ type: 'scope.configured', directory: DIRECTORY, config });
  return { brain, at: { directory: DIRECTORY, companion: { brain, refresh: () => Promise.resolve(true) } } };
}

const spent = (id: string, action: 'stop' | 'degrade' | 'warn', provider: string | null) => ({
  ...{ id, period: 'day' as const, action, provider, agent: null, directory: null, session: null },
  ...{ limit: 5, spent: 5.02, isAllowed: false, allowsUnpriced: false, maxPrice: null, endsInMs: HOUR_MS },
});

describe('given a council whose speaker is to be asked', () => {
  it('when its plan is at 98 % and agents leave it at 97 %, then no request is sent, until the plan begins anew', async () => {
    const { brain, at } = companion();
    const hear = (used: number) =>
      brain.tell({
        type: 'headroom.seen',
        attempt: null,
        directory: DIRECTORY,
        model: CODEX,
        windows: [fiveHours(used)],
      });
    hear(0.96);
    expect(await refusalOf(at, CODEX)).toBeNull();
    hear(0.98);
    expect(await refusalOf(at, CODEX)).toEqual({
      ...{ kind: 'quota', hintMs: HOUR_MS, isPartial: false },
      message: expect.stringContaining('98'),
    });
    expect(await refusalOf(at, 'other/big')).toBeNull();
  });

  it('when a budget is spent, then no request is sent to whom it is for; one that only warns or degrades keeps nobody', async () => {
    const { brain, at } = companion();
    const asked = async (level: ReturnType<typeof spent>) => {
      brain.tell({ type: 'money.counted', levels: [level] });
      return [(await refusalOf(at, CODEX))?.message ?? null, (await refusalOf(at, 'other/big'))?.message ?? null];
    };
    const reason = expect.stringContaining('$5.02');
    expect(await asked(spent('day', 'stop', null))).toEqual([reason, reason]);
    expect(await asked(spent('day|codex', 'stop', 'codex'))).toEqual([reason, null]);
    expect(await asked(spent('day', 'warn', null))).toEqual([null, null]);
    expect(await asked(spent('day', 'degrade', null))).toEqual([null, null]);
  });

  it('when the project has no configuration that counts, then nothing keeps it', async () => {
    const { brain, at } = companion();
    brain.tell({ type: 'money.counted', levels: [spent('day', 'stop', null)] });
    expect(await refusalOf({ ...at, companion: { brain, refresh: () => Promise.resolve(false) } }, CODEX)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { fromEntries } from '../../src/engine/base/table';
import type { Companion } from '../../src/plugin/runtime/host';
import { heedLogins } from '../../src/plugin/user/changed-logins';

/** A companion whose provider `blocked` is blocked for a kind of failure. */
function place(kind: string) {
  const told: unknown[] = [];
  const providers = fromEntries([
    ['blocked', { block: { kind } }],
    ['well', { block: null }],
  ]);
  const brain = { state: () => ({ providers }), tell: (event: unknown) => void told.push(event) };
  return { companion: { brain } as unknown as Companion, failedLogins: new Map<string, string>(), told };
}

const RESET = { type: 'health.reset', target: { provider: 'blocked' }, actor: expect.anything() };

describe('given a provider whose login has failed', () => {
  it.each(['login', 'auth'])('when it has another login (%s), then it is reset, and not before', async (kind) => {
    const there = place(kind);
    const logins = { blocked: { key: 'old' }, well: { key: 'x' } };
    await heedLogins(there, async () => logins);
    await heedLogins(there, async () => ({ ...logins, well: { key: 'y' } }));
    expect(there.told).toEqual([]);
    await heedLogins(there, async () => ({ ...logins, blocked: { key: 'new' } }));
    expect(there.told).toEqual([RESET]);
    expect(JSON.stringify([...there.failedLogins])).not.toMatch(/old|new/);
  });

  it('when logins cannot be read for a time, then the one from before counts', async () => {
    const there = place('login');
    await heedLogins(there, async () => ({ blocked: 'old' }));
    await heedLogins(there, async () => null);
    await heedLogins(there, () => Promise.reject(new Error('made up')));
    expect(there.told).toEqual([]);
    await heedLogins(there, async () => ({ blocked: 'new' }));
    expect(there.told).toEqual([RESET]);
  });
});

describe('given a provider that is blocked for another reason', () => {
  it('when a turn ends, then no login is read', async () => {
    const there = place('quota');
    await heedLogins(there, () => Promise.reject(new Error('read')));
    expect([there.told, there.failedLogins.size]).toEqual([[], 0]);
  });
});

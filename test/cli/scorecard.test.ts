import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/node/store/open-store';
import {
  COMPANION,
  configured,
  failed,
  openTestCore,
  prompted,
  started,
  succeeded,
  virtualClock,
} from '../core/virtual-core';
import { open } from '../node/store/store-support';
import { besideStore } from './beside-store';

const { said, run } = besideStore('scorecard');

const KEPT = 'Attempts are stored since 2026-09-21 14:13 UTC; these figures exclude earlier ones.';

/** A store in which an Oracle had four turns: two by its lead, one by its understudy, one that nobody answered. */
async function recorded(): Promise<void> {
  const store = await open(storePath(said.home));
  const { core, tell, clock } = openTestCore(virtualClock(), store);
  core.connected(COMPANION);
  tell(configured());
  const play = (turn: string, ...models: readonly string[]): void => {
    const about = { turn, session: `ses_${turn}`, agent: 'oracle' };
    tell(prompted(about));
    models.forEach((model, at) => {
      const attempt = `${turn}:${at}`;
      tell(started({ ...about, attempt, model }));
      tell(at < models.length - 1 || turn === 'lost' ? failed(attempt) : succeeded(attempt));
    });
    clock.advance(2 * 86_400_000);
  };
  play('one', 'lead/one');
  play('two', 'lead/one');
  play('saved', 'lead/one', 'spare/two');
  play('lost', 'lead/one', 'spare/two', 'last/three');
  core.dispose();
  await store.close();
}

describe('given an Oracle that answered three of four turns, one of them by its understudy', () => {
  it('when it is asked how available the Oracle is, then the answer says so, with the bounds and what came of fallbacks', async () => {
    await recorded();
    expect([await run('--agent', 'Oracle'), said.errors]).toEqual([0, []]);
    expect(said.printed.join('\n').split('\n')).toEqual([
      'oracle is available for 75\u{202f}% of its turns: 3 of 4 were answered (95 % bounds 30.1\u{202f}% to 95.4\u{202f}%).',
      'Its primary alone answered 2: 50\u{202f}%.',
      'Answered without a failed request: 2, 50\u{202f}%.',
      'Used a fallback model: 2 turns, 1 answered, 50\u{202f}%.',
      'Requests: 7, of which 4 failed and 0 were retries of the same model.',
      KEPT,
    ]);
  });

  it('when a time is asked for that begins after the first attempt that is kept, then nothing is said of that', async () => {
    await recorded();
    expect([await run('--agent', 'oracle', '--since', '2026-09-22'), said.errors]).toEqual([0, []]);
    expect(said.printed.join('')).not.toContain('are kept since');
    said.printed.length = 0;
    expect([await run('--since', '2026-09-01'), said.errors]).toEqual([0, []]);
    expect(said.printed.join('\n').split('\n').at(-1)).toBe(KEPT);
  });

  it('when all agents are asked for, then they stand in a table; as JSON, then with every figure', async () => {
    await recorded();
    expect([await run(), await run('--agent', 'oracle', '--json')]).toEqual([0, 0]);
    expect(said.printed[0]).toMatch(
      /^ *Agent +Turns +Available +Primary alone +First try +On fallback +Waited\n *oracle +4 +75\s% +50\s% +50\s% +2, 50\s% +0\nAttempts are stored/,
    );
    expect(JSON.parse(said.printed[1] ?? '')).toMatchObject({
      agent: 'oracle',
      turns: { total: 4, failed: 1, saved: 1 },
    });
  });

  it('when one session is asked for, then its turn alone counts', async () => {
    await recorded();
    expect([await run('--session', 'ses_saved', '--json'), said.errors]).toEqual([0, []]);
    expect(JSON.parse(said.printed.join(''))).toMatchObject([{ turns: { total: 1, saved: 1 } }]);
  });

  it('when another agent is asked for, then it is refused, and the agents that are known are named', async () => {
    await recorded();
    expect([await run('--agent', 'fixer'), said.printed]).toEqual([1, []]);
    expect(said.errors).toEqual([
      'No turn of an agent called fixer is recorded in that time. Agents with turns: oracle.',
    ]);
  });

  it('when nothing was ever recorded, then that is said', async () => {
    expect([await run('--agent', 'oracle'), said.errors]).toEqual([1, ['Nothing has been recorded yet.']]);
  });
});

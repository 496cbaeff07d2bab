import type { Core } from '../../../core/core';
import type { Clock } from '../../../core/ports/ports';
import { type FleetAccounts, followFleetAccounts } from '../../../node/data/account-books';
import { type KeptFleet, keepFleet } from './keep-fleet';
import { forgetOthersSpent, openFleetMoney } from './money';
import { readFleet } from './settings';

export function joinAsApp(
  core: Pick<Core, 'state' | 'toldFleet' | 'spared'>,
  {
    home,
    env,
    clock,
    version,
    onMoney,
  }: Readonly<{
    home: string;
    env: NodeJS.ProcessEnv;
    clock: Pick<Clock, 'now'>;
    version: string;
    onMoney: () => void;
  }>,
): KeptFleet {
  let follower: Readonly<{ by: string; news: ReturnType<typeof followFleetAccounts>['news'] }> | null = null;
  let accounts: FleetAccounts | null = null;
  const fleet = keepFleet(
    {
      state: core.state,
      now: clock.now,
      tell: core.toldFleet,
      random: Math.random,
      spared: core.spared,
      money: openFleetMoney(home, onMoney),
    },
    {
      find: () => readFleet(home, env, version),
      looksOn: true,
      async accounts({ marks: { by } }) {
        if (follower?.by !== by) {
          follower = { by, ...followFleetAccounts(home, by) };
          accounts = null;
        }
        accounts = (await follower.news()) ?? accounts;
        return accounts;
      },
    },
  );
  void fleet.reread().then(() => {
    // No process may have run when the machine left its fleet.
    if (fleet.status().state === 'off') void forgetOthersSpent(home);
  });
  return fleet;
}

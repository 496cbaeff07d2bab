import { countAs } from '../../../core/base/internal-errors';
import { type Elsewhere, type Hours, NOTHING_ELSEWHERE } from '../../../core/budget/elsewhere';
import type { HealthKey } from '../../../engine';
import { keepOthersSpent } from '../../../node/data/others-spent';
import { openSpending } from '../../../node/data/spending';

/** What accounts were used for, here and on other machines. */
export type FleetMoney = Readonly<{
  /** Takes in what was spent since. Never rejects. */
  refresh(): Promise<void>;
  own(account: HealthKey): Hours;
  heard(all: Elsewhere): void;
}>;

/** The ledger of this machine, and the file in which every process finds what others have spent. `onHeard` is told when that is another. */
export function openFleetMoney(home: string, onHeard: () => void = () => undefined): FleetMoney {
  const spending = openSpending(home, () => undefined);
  let writing = Promise.resolve();
  return {
    refresh: async () => void (await spending.refresh().catch(countAs('fleet.money'))),
    own: (account) => spending.hours(account, Date.now()),
    heard(all) {
      writing = writing.then(() => keepOthersSpent(home, all)).then((isNews) => (isNews ? onHeard() : undefined));
    },
  };
}

export const NO_MONEY: FleetMoney = {
  refresh: async () => undefined,
  own: () => [],
  heard: () => undefined,
};

/** What is kept of others counts no more: this machine is in no fleet, or shares no money. */
export const forgetOthersSpent = async (home: string): Promise<void> =>
  void (await keepOthersSpent(home, NOTHING_ELSEWHERE));

import { countAs } from '../../../core/base/internal-errors';
import { type Elsewhere, type Hours, NOTHING_ELSEWHERE } from '../../../core/budget/elsewhere';
import type { HealthKey } from '../../../engine';
import { keepOthersSpent } from '../../../node/data/others-spent';
import { openSpending } from '../../../node/data/spending';

export type FleetMoney = Readonly<{
  /** Never rejects. */
  refresh(): Promise<void>;
  own(account: HealthKey): Hours;
  heard(all: Elsewhere): void;
}>;

/** All processes share the file. */
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

export const forgetOthersSpent = async (home: string): Promise<void> =>
  void (await keepOthersSpent(home, NOTHING_ELSEWHERE));

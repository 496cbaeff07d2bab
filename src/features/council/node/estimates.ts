import { remember } from '../../../engine/tools';
import { keptModelsPath, latestModels } from '../../../node/base/kept-models';
import { statOrNull } from '../../../node/base/look';
import { partySize } from '../core/run-view';
import { defaultPartyOf } from '../rules/cast/roster';
import { estimate } from '../rules/money/estimate';
import { type CouncilState, routeOf } from '../rules/state/state';

/** US dollars at current prices; null without prices. */
export type Estimates = (run: string, state: CouncilState) => Promise<number | null>;

const RUNS_MAX = 20;

/** Rereads only new prices: a router's list has megabytes. */
export function openEstimates(home: string): Estimates {
  const estimates = new Map<string, Readonly<{ by: string; cost: number | null }>>();
  return async (run, state) => {
    if (state.setup === null) return null;
    const { cast, process } = routeOf(state);
    const party = partySize(state) || defaultPartyOf(cast).length;
    const modelsFile = await statOrNull(keptModelsPath(home));
    const by = [modelsFile?.mtimeMs, modelsFile?.size, party].join();
    const before = estimates.get(run);
    if (before?.by === by) return before.cost;
    const { catalogue = {} } = (await latestModels(home)) ?? {};
    const { cost } = estimate(
      state.setup.settings,
      { party, process, hasRepository: state.setup.input.repo !== null },
      catalogue,
    );
    return remember(estimates, run, { by, cost }, RUNS_MAX).cost;
  };
}

import type { CouncilPlan } from '../contract/council';
import { plainLine, plainText } from '../rules/base/text';
import { PARTY } from '../rules/cast/heroes';
import { defaultPartyOf } from '../rules/cast/roster';
import { stagesOf } from '../rules/process/process';
import { route } from '../rules/process/route';
import { lastOf, type Planned } from './texts';

const NAME_MAX = 200;
const name = (text: string): string => plainLine(text).slice(0, NAME_MAX);

/**
 * @param id used by the approval.
 * @param player its name, or the reason why there is none.
 * @throws RangeError for an input without a process.
 */
export function planView(
  { wanted: { input }, address, settings, roster, estimate, resets, leftOut }: Planned,
  id: string,
  player: Readonly<{ name: string } | { whyNot: string }>,
): CouncilPlan {
  const played = route(input);
  if (played === null) throw new RangeError('The input names no problem and no repository.');
  const { speakers, oracle, heroes, parallel, maxCost } = settings;
  const nameOf = (hero: string): string => name(roster.find((each) => each.id === hero)?.name ?? hero);
  return {
    id,
    activity: played.activity,
    process: played.process,
    problem: input.problem === null ? null : plainText(input.problem),
    repo: input.repo === null ? null : plainLine(address?.name ?? lastOf(input.repo)),
    isFetched: address !== null,
    stages: stagesOf(played.process).map((stage) => ({ id: stage.id, name: stage.name })),
    speakers: speakers.map((each) => ({
      name: name(each.name),
      model: each.model,
      fallback: each.fallback,
      vendor: name(each.vendor),
    })),
    oracle: name(oracle),
    heroes: heroes.map(name),
    defaultParty: defaultPartyOf(played.cast).map(nameOf),
    party: { ...PARTY },
    parallel,
    estimate: { cost: estimate.cost, turns: estimate.turns, unpriced: [...estimate.unpriced] },
    cap: maxCost,
    resets: Object.entries(resets).map(([speaker, until]) => ({ speaker: name(speaker), until })),
    leftOut: leftOut.map(({ name: speaker, model }) => ({ speaker: name(speaker), model })),
    ...('name' in player ? { player: player.name, whyNoPlayer: null } : { player: null, whyNoPlayer: player.whyNot }),
  };
}

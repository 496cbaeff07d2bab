import type { Catalogue, ModelId } from '../../../../engine';
import { factsOf } from '../../../../engine/tools';
import type { Settings } from '../base/settings';
import { counted, dollars, listed } from '../base/text';
import { ORACLE, type ProcessId, type SpeakerName } from '../base/types';
import { deal } from '../cast/deal';
import { CASTING, type Stage, stagesOf, TRANSITION } from '../process/process';

/**
 * Tokens per turn, and turns of a stage with several. Typical, not measured: a large repository takes more. Turns:
 * docs/council.md gives two to three.
 */
export const TYPICAL = {
  reading: { inputPerTurn: 30_000, outputPerTurn: 1_500 },
  thinking: { inputPerTurn: 4_000, outputPerTurn: 1_000 },
  turnsOfStage: 2,
} as const;
const MILLION = 1_000_000;

export type SpeakerEstimate = Readonly<{
  speaker: SpeakerName;
  model: ModelId;
  turns: number;
  input: number;
  output: number;
  /** US dollars; null without a price. */
  cost: number | null;
}>;

export type Estimate = Readonly<{
  isEstimate: true;
  turns: number;
  /** US dollars without `unpriced`; null without any price. */
  cost: number | null;
  unpriced: readonly ModelId[];
  perSpeaker: readonly SpeakerEstimate[];
}>;

/** @param prices US dollars per million tokens; a model with only one price is unpriced. */
export function estimate(
  settings: Settings,
  { party, process, hasRepository }: Readonly<{ party: number; process: ProcessId; hasRepository: boolean }>,
  prices: Catalogue,
): Estimate {
  const { inputPerTurn, outputPerTurn } = hasRepository ? TYPICAL.reading : TYPICAL.thinking;
  const turns = turnsBySpeaker(settings, party, process);
  const perSpeaker = settings.speakers.flatMap(({ name, model }): SpeakerEstimate[] => {
    const own = turns.get(name) ?? 0;
    if (own === 0) return [];
    const tokens = { input: own * inputPerTurn, output: own * outputPerTurn };
    return [{ speaker: name, model, turns: own, ...tokens, cost: costOf(tokens, factsOf(prices, model)) }];
  });
  const costs = perSpeaker.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  const unpriced = perSpeaker.filter(({ cost }) => cost === null).map(({ model }) => model);
  return {
    isEstimate: true,
    turns: perSpeaker.reduce((sum, each) => sum + each.turns, 0),
    cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    unpriced: [...new Set(unpriced)],
    perSpeaker,
  };
}

export function estimateText({ turns, cost, unpriced }: Estimate): string {
  const basis = `${counted(turns, 'turn')}, from typical token counts, not measured`;
  if (cost === null) return `Estimate: ${basis}. No model has a known price.`;
  const without = unpriced.length === 0 ? '' : ` Not included, because the price is unknown: ${listed(unpriced)}.`;
  return `Estimate: about ${dollars(cost)} for ${basis}.${without}`;
}

function costOf(
  { input, output }: Readonly<{ input: number; output: number }>,
  { priceIn, priceOut }: ReturnType<typeof factsOf>,
): number | null {
  if (priceIn === undefined || priceOut === undefined) return null;
  return (input * priceIn + output * priceOut) / MILLION;
}

/** The first hero represents the synthesizer, which is not yet chosen. */
function turnsBySpeaker(
  { speakers, oracle, heroes }: Settings,
  party: number,
  process: ProcessId,
): ReadonlyMap<SpeakerName, number> {
  const dealable = heroes.flatMap((name) => speakers.filter((speaker) => speaker.name === name));
  const ids = Array.from({ length: dealable.length === 0 ? 0 : party }, (_, at) => `hero ${at}`);
  const dealt = ids.length === 0 ? {} : deal(ids, dealable);
  const stages = stagesOf(process);
  const reviews = stages.filter(({ isReviewed }) => isReviewed).map(() => TRANSITION);
  const played = [CASTING, ...stages, ...reviews];
  const turns = new Map<SpeakerName, number>();
  const add = (name: SpeakerName | undefined, who: Stage['who']): void => {
    if (name !== undefined) turns.set(name, (turns.get(name) ?? 0) + turnsOf(played, who));
  };
  add(oracle, 'oracle');
  for (const id of ids) add(dealt[id], 'heroes');
  add(dealt[ids[0] ?? ORACLE], 'synthesizer');
  return turns;
}

const turnsOf = (stages: readonly Stage[], who: Stage['who']): number =>
  stages.filter((stage) => stage.who === who).reduce((sum, { most }) => sum + Math.min(most, TYPICAL.turnsOfStage), 0);

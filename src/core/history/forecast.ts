import type { WhatIfAnswer } from '../../contract/what-if';
import type { TurnEnd } from '../../engine/tools';
import { type Case, type Likely, likelyDifference, likelyShare } from './likely';

/** With fewer turns whose end is known on both sides, or from fewer hours, nothing is said of those to come. */
const TURNS_MIN = 30;
const HOURS_MIN = 5;
/** So much apart at most, two chains are as good as each other: two turns in a hundred. */
const EVEN_SHARE = 0.02;

const HOUR_MS = 3_600_000;

/** How a turn ends, and the hour of what is farthest away of all that was known for it. */
type Side = Readonly<{ end: TurnEnd['end']; hour: number; isTroubled: boolean }>;
/** The same turn on both sides; `hour` is the one that is farther away. */
type Pair = Readonly<{ before: Side; after: Side; hour: number; isTroubled: boolean }>;

/**
 * How many turns would be answered in a time as long again, and whether that is better.
 *
 * It knows of a model what the log heard of it. Where that was little, many turns end as one answer did: they count as
 * one stretch, and the bounds are wide. Where a model was only ever asked after another one had failed, its answers at
 * those times stand for all times. A turn whose end is not known is answered for one bound and failed for the other.
 *
 * @param played the same turns in the same order on both sides.
 * @param isAbout says which turns are meant.
 */
export function forecastOf(
  played: Readonly<{ before: readonly TurnEnd[]; after: readonly TurnEnd[] }>,
  isAbout: (turn: TurnEnd) => boolean,
): Pick<WhatIfAnswer, 'forecast' | 'verdict'> {
  const turns = played.before.flatMap((before, at): Pair[] => {
    const after = played.after[at];
    return after && isAbout(before) ? [pairOf(before, after)] : [];
  });
  const known = turns.filter(({ before, after }) => before.end !== 'unknown' && after.end !== 'unknown');
  if (known.length < TURNS_MIN || new Set(known.map(({ hour }) => hour)).size < HOURS_MIN)
    return { forecast: null, verdict: 'few' };
  const difference = differenceOf(turns, known);
  const forecast = {
    turns: turns.length,
    known: known.length,
    before: answeredOf(turns.map(({ before }) => before)),
    after: answeredOf(turns.map(({ after }) => after)),
    difference,
  };
  return { forecast, verdict: verdictOf(difference) };
}

function pairOf(before: TurnEnd, after: TurnEnd): Pair {
  const isFarther = Math.abs(after.heardAt - after.at) > Math.abs(before.heardAt - before.at);
  const sides = { before: sideOf(before), after: sideOf(after) };
  return {
    ...sides,
    hour: (isFarther ? sides.after : sides.before).hour,
    isTroubled: before.isTroubled || after.isTroubled,
  };
}

const sideOf = ({ end, heardAt, isTroubled }: TurnEnd): Side => ({
  end,
  hour: Math.floor(heardAt / HOUR_MS),
  isTroubled,
});

/** The share of turns that are answered; of those not known, none for the lower bound and all for the upper one. */
function answeredOf(sides: readonly Side[]): Likely {
  const count = (end: Side['end']): number => sides.filter((side) => side.end === end).length;
  const answered = count('answered');
  return {
    value: answered / (answered + count('failed')),
    lower: 1 - likelyShare(casesOf(sides, ({ end }) => end !== 'answered')).upper,
    upper: 1 - likelyShare(casesOf(sides, ({ end }) => end === 'failed')).lower,
  };
}

/** The share of turns that the change answers and that failed, less the share that it fails and that were answered. */
function differenceOf(turns: readonly Pair[], known: readonly Pair[]): Likely {
  const isGain = ({ before, after }: Pair): boolean => before.end === 'failed' && after.end === 'answered';
  const isLoss = ({ before, after }: Pair): boolean => before.end === 'answered' && after.end === 'failed';
  const mayBeGain = ({ before, after }: Pair): boolean => before.end !== 'answered' && after.end !== 'failed';
  const mayBeLoss = ({ before, after }: Pair): boolean => before.end !== 'failed' && after.end !== 'answered';
  const of = (isHit: (turn: Pair) => boolean): Likely => likelyShare(casesOf(turns, isHit));
  const [gained, lost] = [of(isGain), of(isLoss)];
  return {
    value: (known.filter(isGain).length - known.filter(isLoss).length) / known.length,
    lower: likelyDifference(gained, of(mayBeLoss)).lower,
    upper: likelyDifference(of(mayBeGain), lost).upper,
  };
}

const casesOf = <T extends Readonly<{ hour: number; isTroubled: boolean }>>(
  of: readonly T[],
  isHit: (each: T) => boolean,
): Case[] => of.map((each) => ({ hour: each.hour, isHit: isHit(each), isTroubled: each.isTroubled }));

function verdictOf({ lower, upper }: Likely): WhatIfAnswer['verdict'] {
  if (lower > 0) return 'better';
  if (upper < 0) return 'worse';
  return lower >= -EVEN_SHARE && upper <= EVEN_SHARE ? 'even' : 'unclear';
}

import type { WhatIfAnswer } from '../../contract/what-if';
import type { TurnEnd } from '../../engine/tools';
import { type Case, type Likely, likelyDifference, likelyShare } from './likely';

const TURNS_MIN = 30;
const HOURS_MIN = 5;
/** Chains within two turns in a hundred are equally good. */
const EVEN_SHARE = 0.02;

const HOUR_MS = 3_600_000;

/** `hour` is that of the oldest data used. */
type Side = Readonly<{ end: TurnEnd['end']; hour: number; isTroubled: boolean }>;
type Pair = Readonly<{ before: Side; after: Side; hour: number; isTroubled: boolean }>;

/**
 * Uses only logged attempts; those of a model called only after failures stand for all times. An unknown end counts as
 * answered for one bound and as failed for the other. @param played the same turns in the same order on both sides.
 */
export function forecastOf(
  played: Readonly<{ before: readonly TurnEnd[]; after: readonly TurnEnd[] }>,
  isAbout: (turn: TurnEnd) => boolean,
): Pick<WhatIfAnswer, 'forecast' | 'verdict'> {
  const turns = played.before.flatMap((before, at): Pair[] => {
    const after = played.after[at];
    return after && isAbout(before) ? [pairOf(before, after)] : [];
  });
  const completedTurns = turns.filter(({ before, after }) => before.end !== 'unknown' && after.end !== 'unknown');
  if (completedTurns.length < TURNS_MIN || new Set(completedTurns.map(({ hour }) => hour)).size < HOURS_MIN)
    return { forecast: null, verdict: 'few' };
  const difference = differenceOf(turns, completedTurns);
  const forecast = {
    turns: turns.length,
    known: completedTurns.length,
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

/** Unknown ends count as failed for the lower bound, as answered for the upper one. */
function answeredOf(sides: readonly Side[]): Likely {
  const count = (end: Side['end']): number => sides.filter((side) => side.end === end).length;
  const answered = count('answered');
  return {
    value: answered / (answered + count('failed')),
    lower: 1 - likelyShare(casesOf(sides, ({ end }) => end !== 'answered')).upper,
    upper: 1 - likelyShare(casesOf(sides, ({ end }) => end === 'failed')).lower,
  };
}

function differenceOf(turns: readonly Pair[], completedTurns: readonly Pair[]): Likely {
  const isGain = ({ before, after }: Pair): boolean => before.end === 'failed' && after.end === 'answered';
  const isLoss = ({ before, after }: Pair): boolean => before.end === 'answered' && after.end === 'failed';
  const mayBeGain = ({ before, after }: Pair): boolean => before.end !== 'answered' && after.end !== 'failed';
  const mayBeLoss = ({ before, after }: Pair): boolean => before.end !== 'failed' && after.end !== 'answered';
  const of = (isHit: (turn: Pair) => boolean): Likely => likelyShare(casesOf(turns, isHit));
  const [gained, lost] = [of(isGain), of(isLoss)];
  return {
    value: (completedTurns.filter(isGain).length - completedTurns.filter(isLoss).length) / completedTurns.length,
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

import type { ScorecardDocument } from '../../contract/scorecard';
import type { EventRow } from '../../contract/snapshot';
import { unbooked } from '../../engine/names';
import { type Advice, type Figures, NANOS, type Rate, type ScorecardReport } from '../../engine/scorecard';
import { adviceSentence } from '../../wording/advice-words';

/** Times are Unix ms. */
export type DocumentParts = Readonly<{
  version: string;
  generatedAtMs: number;
  session: string | null;
  events: readonly EventRow[];
}>;

const TRANSITION = /^model\./;
const DIGITS = 1e6;

/** The same figures give the same document, except for `generatedAt`. */
export function documentOf(report: ScorecardReport, parts: DocumentParts): ScorecardDocument {
  const totals = plain(report.overall);
  // A session's card excludes models that it never called.
  const calledModels = new Set(report.models.map(({ model }) => model));
  const isOfIt = (model: string): boolean => parts.session === null || calledModels.has(unbooked(model));
  const { pricedShare } = totals.cost;
  return {
    schema: 'scorecard/1',
    app: { name: 'Understudy', version: parts.version },
    generatedAt: instant(parts.generatedAtMs),
    tz: 'UTC',
    session: parts.session,
    range: { since: orNull(report.range.sinceMs, instant), until: orNull(report.range.untilMs, instant) },
    totals,
    models: report.models.map(({ model, provider, ...figures }, at) => ({
      rank: at + 1,
      model,
      provider,
      ...plain(figures),
    })),
    switches: report.switches.map(({ from, to, count }) => ({ from, to, count })),
    transitions: parts.events.flatMap(({ code, model, state, at, kind }) =>
      model !== null && TRANSITION.test(code) && isOfIt(model) ? [{ at: instant(at), model, state, kind }] : [],
    ),
    advice: report.advice.map((advice) => {
      const { code, confidence, n } = advice;
      return { code, text: adviceSentence(advice), confidence, n, ...subjectOf(advice) };
    }),
    alert: orNull(report.alert, ({ since, until }) => ({ since: instant(since), until: instant(until) })),
    quality: {
      unpricedShare: orNull(pricedShare, (share) => short(1 - share)),
      keptSince: orNull(report.keptSinceMs, instant),
    },
    methods: { ...report.methods },
  };
}

export function plain(figures: Figures): ScorecardDocument['totals'] {
  const { cost, successRate, availability, turns, quality } = figures;
  return {
    ...figures,
    successRate: rounded(successRate),
    avgResponseTimeMs: orNull(figures.avgResponseTimeMs, Math.round),
    cost: {
      total: orNull(cost.total, money),
      perReport: orNull(cost.perReport, money),
      pricedShare: orNull(cost.pricedShare, short),
    },
    failureReasons: { ...figures.failureReasons },
    turns: { ...turns, firstTryRate: orNull(turns.firstTryRate, short) },
    availability: {
      withFallback: rounded(availability.withFallback),
      withoutFallback: rounded(availability.withoutFallback),
    },
    quality: {
      answers: quality.answers,
      emptyShare: orNull(quality.emptyShare, short),
      cutShare: orNull(quality.cutShare, short),
      continued: quality.continued,
      continuedPerAnswer: orNull(quality.continuedPerAnswer, short),
      badArgumentsPerAnswer: orNull(quality.badArgumentsPerAnswer, short),
      flawedShare: orNull(quality.flawedShare, short),
    },
  };
}

function subjectOf(advice: Advice): Readonly<{ provider: string | null; models: string[] }> {
  if (!('model' in advice)) return { provider: advice.provider, models: [] };
  return { provider: null, models: 'above' in advice ? [advice.model, advice.above] : [advice.model] };
}

const orNull = <A, B>(value: A | null, make: (value: A) => B): B | null => (value === null ? null : make(value));
const instant = (ms: number): string => new Date(ms).toISOString();
/** Rounds to six digits, which exceeds the precision of all figures. */
export const short = (value: number): number => Math.round(value * DIGITS) / DIGITS;

export const rounded = ({ value, lower, upper, n }: Rate): ScorecardDocument['totals']['successRate'] => ({
  value: orNull(value, short),
  lower: orNull(lower, short),
  upper: orNull(upper, short),
  n,
});

/** From whole billionths, without trailing zeros. */
export function money(dollars: number): string {
  const nanos = BigInt(Math.round(dollars * NANOS));
  const scale = BigInt(NANOS);
  const digits = String(nanos % scale)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return digits === '' ? String(nanos / scale) : `${nanos / scale}.${digits}`;
}

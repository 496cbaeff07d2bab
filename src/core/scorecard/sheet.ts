import type { Metric, ScorecardDocument } from '../../contract/scorecard';
import { FAILURE_KINDS } from '../../engine';
import { moneyPhrase } from '../../wording/usage-words';
import { kindPhrase } from '../../wording/wording';
import { tokensOf } from '../base/tokens';
import { modelsTable, type SheetTable } from './columns';
import { duration, rate, share, toolErrors } from './figure-text';

export type Sheet = Readonly<{
  title: string;
  about: string;
  facts: readonly (readonly [label: string, value: string])[];
  advice: readonly string[];
  nothing: string;
  tables: readonly SheetTable[];
  notes: readonly string[];
}>;

type Totals = ScorecardDocument['totals'];

/** The same on every machine. @param metrics null for the default. */
export function sheetOf(document: ScorecardDocument, metrics: readonly Metric[] | null = null): Sheet {
  const { totals, session, range } = document;
  const what = session === null ? 'All sessions' : `Session ${session}`;
  return {
    title: 'Understudy scorecard',
    about: `${what}, ${rangePhrase(range)}. Made ${moment(document.generatedAt)} by Understudy ${document.app.version}.`,
    facts: factsOf(totals),
    nothing: nothingText(totals),
    advice: document.advice.map(({ text, confidence, n }) => `${text} (${confidence} confidence, n = ${n})`),
    tables: [
      modelsTable(document, metrics),
      ...agentsTable(document),
      reasonsTable(totals),
      switchesTable(document),
      transitionsTable(document),
    ],
    notes: notesOf(document),
  };
}

const nothingText = ({ failures, totalCalls }: Totals): string =>
  failures === 0
    ? 'Nothing stands out.'
    : `${failures} of ${totalCalls} attempts failed, but no advice follows from that. The reasons are listed.`;

function factsOf(totals: Totals): Sheet['facts'] {
  const { turns, totalCalls, time, tokens, cost, availability, successRate, waits, retries } = totals;
  const { providerRepeats: repeats } = totals.errors;
  return [
    ['Turns', `${turns.total}, of which ${turns.answered} answered, ${turns.failed} failed`],
    ['Answered at the first try', share(turns.firstTryRate)],
    ['Turns saved', `${turns.saved}, and ${turns.spared} more answered by a fallback model`],
    ['Attempts', String(totalCalls)],
    ['Success of attempts', rate(successRate)],
    ['Tools that failed', toolErrors(totals.errors)],
    ...(repeats ? [['Repeated failures of a provider', String(repeats)] as const] : []),
    ['Flawed answers', share(totals.quality.flawedShare)],
    ['Availability', `${rate(availability.withFallback)}; without fallback ${rate(availability.withoutFallback)}`],
    ['Waits', `${waits.count}, ${duration(waits.totalMs)} in all`],
    ['Retries', String(retries)],
    ['Circuits opened', `${totals.circuitBreakerActivations}, and ${totals.networkActivations} for a network`],
    ['Time lost', duration(time.lostMs)],
    ['Time saved', `${duration(time.savedMs)}, ${duration(time.savedStatedMs)} of it stated by providers`],
    ['Tokens', String(tokensOf(tokens))],
    [
      'Cost',
      cost.total === null
        ? 'no known price'
        : `${moneyPhrase(Number(cost.total))} for ${share(cost.pricedShare)} of the reports`,
    ],
  ];
}

function agentsTable({ agents }: ScorecardDocument): SheetTable[] {
  if (agents === undefined) return [];
  return [
    {
      title: 'Agents',
      head: [
        'Agent',
        'Turns',
        'Availability',
        'Without fallback',
        'First try',
        'Moved to fallbacks',
        // Includes retries by OpenCode itself, which the totals exclude.
        'Retries',
        'Time between attempts',
      ],
      rows: agents.map(({ agent, turns, availability, firstTry, fallbacks, retries, waitedMs }) => [
        ...[agent, `${turns.answered} of ${turns.total}`, rate(availability.withFallback)],
        ...[rate(availability.withoutFallback), share(firstTry.value)],
        fallbacks.n === 0 ? '0' : `${fallbacks.n}, ${share(fallbacks.value)} answered`,
        ...[String(retries), duration(waitedMs)],
      ]),
      empty: 'No agent had a turn.',
    },
  ];
}

function reasonsTable({ failureReasons }: Totals): SheetTable {
  const reasons = FAILURE_KINDS.flatMap((kind) => {
    const count = failureReasons[kind];
    // A request that the user aborted has not failed.
    return count === undefined || kind === 'aborted' ? [] : [{ kind, count }];
  });
  return {
    title: 'Why attempts failed',
    head: ['Reason', 'Attempts'],
    rows: reasons.sort((a, b) => b.count - a.count).map(({ kind, count }) => [kindPhrase(kind, null), String(count)]),
    empty: 'No attempt failed.',
  };
}

function switchesTable({ switches }: ScorecardDocument): SheetTable {
  return {
    title: 'Switches between models',
    head: ['From', 'To', 'Times'],
    rows: switches.map(({ from, to, count }) => [from, to, String(count)]),
    empty: 'No turn switched models.',
  };
}

function transitionsTable({ transitions }: ScorecardDocument): SheetTable {
  return {
    title: 'Changes of state',
    head: ['Model', 'State', 'Reason', 'When'],
    rows: transitions.map(({ at, model, state, kind }) => [
      model,
      state,
      kind === null ? '–' : kindPhrase(kind, null),
      moment(at),
    ]),
    empty: 'No model changed its state.',
  };
}

function notesOf({ quality, methods, agentsSince }: ScorecardDocument): string[] {
  const unpriced =
    quality.unpricedShare === null
      ? 'No usage was reported.'
      : `${share(quality.unpricedShare)} of the usage reports have no price.`;
  const storedSince = quality.keptSince === null ? [] : [`Figures are stored since ${moment(quality.keptSince)}.`];
  const agents =
    agentsSince === undefined
      ? []
      : [`Agents’ figures are based on single attempts, which are stored since ${moment(agentsSince)}.`];
  return [unpriced, ...storedSince, ...agents, 'All times are UTC.', ...Object.values(methods)];
}

/** Such as "2026-11-01 10:00 UTC". @param instant in ISO 8601. */
export const moment = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

export function rangePhrase({ since, until }: ScorecardDocument['range']): string {
  if (since === null && until === null) return 'all stored data';
  if (since === null) return `until ${moment(until ?? '')}`;
  return until === null ? `since ${moment(since)}` : `${moment(since)} to ${moment(until)}`;
}

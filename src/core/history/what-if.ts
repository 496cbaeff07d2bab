import type { WhatIfAnswer, WhatIfOutcome, WhatIfQuestion } from '../../contract/what-if';
import type { AgentPlan, ScopeConfig } from '../../engine';
import type { ScorecardReport } from '../../engine/scorecard';
import { type LogEntry, type Outcomes, ownValue, PRESETS, type TurnEnd, whatIf } from '../../engine/tools';
import type { LogRecord } from '../base/record';
import { engineEvents } from './engine-events';
import { forecastOf } from './forecast';

/** Agents without a chain of their own have this one's. */
const EVERYBODY = '*';

/** What holds where a log knows nothing of limits that come near. */
const MOVES = { act: 'move', moveAt: 0.97 } as const;

/** Turns played at most: as many take most of a second, and everything else waits meanwhile. */
export const TURNS_PLAYED = 10_000;

/**
 * Plays the turns of a log again as the question has it, the latest of them where there are very many, and says how it
 * would go on. What it costs is reckoned from what each model has cost.
 *
 * @param turns the number of turns that are played at most.
 */
export function playWhatIf(
  records: readonly LogRecord[],
  question: WhatIfQuestion,
  models: ScorecardReport['models'],
  turns = TURNS_PLAYED,
): WhatIfAnswer {
  const { entries, cutAtMs } = latestTurns(entriesOf(records, question), turns);
  const { before, after } = whatIf(entries, { config: (old) => changed(old, question) });
  const prices = new Map(
    models.flatMap(({ model, cost, successes }) =>
      cost.total === null || successes === 0 ? [] : [[model, cost.total / successes] as const],
    ),
  );
  const { agent } = question;
  // Who has no chain of their own is not told apart from who has one.
  const isAbout = (turn: TurnEnd): boolean => agent === null || agent === EVERYBODY || turn.agent === agent;
  return {
    before: outcomeOf(before, prices),
    after: outcomeOf(after, prices),
    stallsAvoided: after.answered - before.answered,
    cutAtMs,
    ...forecastOf({ before: before.ends, after: after.ends }, isAbout),
  };
}

function outcomeOf(outcomes: Outcomes, prices: ReadonlyMap<string, number>): WhatIfOutcome {
  const { turns, answered, failed, unknown, switches, refusals, heldMs, lostMs, answeredBy } = outcomes;
  let cost = 0;
  let priced = 0;
  for (const [model, count] of Object.entries(answeredBy)) {
    const price = prices.get(model);
    if (price === undefined) continue;
    cost += price * count;
    priced += count;
  }
  const pricedShare = answered === 0 ? null : priced / answered;
  const spent = priced === 0 ? null : cost;
  return { turns, answered, failed, unknown, switches, refusals, lostMs: heldMs + lostMs, cost: spent, pricedShare };
}

function changed(before: ScopeConfig, { agent, chain, policy, headroom }: WhatIfQuestion): ScopeConfig {
  const old =
    headroom === undefined ? before : { ...before, headroom: { ...MOVES, ...before.headroom, act: headroom } };
  if (chain === null && policy === null) return old;
  const over = (plan: AgentPlan): AgentPlan => ({
    ...plan,
    chain: chain ?? plan.chain,
    policy: policy === null ? plan.policy : PRESETS[policy],
  });
  if (agent === null)
    return { ...old, agents: Object.fromEntries(Object.entries(old.agents).map(([name, plan]) => [name, over(plan)])) };
  const plan = ownValue(old.agents, agent) ?? old.agents[EVERYBODY] ?? { chain: [], policy: PRESETS.swift };
  return { ...old, agents: { ...old.agents, [agent]: over(plan) } };
}

/** The latest turns, with all that is not about a turn: chains have to be known before. */
function latestTurns(
  entries: readonly LogEntry[],
  turns: number,
): Readonly<{ entries: readonly LogEntry[]; cutAtMs: number | null }> {
  const prompts = entries.filter(({ event }) => event.type === 'prompt.submitted');
  if (prompts.length <= turns) return { entries, cutAtMs: null };
  const cutAtMs = prompts.at(-turns)?.at ?? 0;
  return { entries: entries.filter(({ at, event }) => at >= cutAtMs || !isOfTurn(event)), cutAtMs };
}

const isOfTurn = ({ type }: LogEntry['event']): boolean => type === 'prompt.submitted' || type.startsWith('attempt.');

/** Turns of the range, and everything else that is not about a turn. */
function entriesOf(records: readonly LogRecord[], { sinceMs = 0, untilMs }: WhatIfQuestion): LogEntry[] {
  const end = untilMs ?? Number.POSITIVE_INFINITY;
  return records.flatMap((record): LogEntry[] => {
    const { at } = record;
    const isIn = at >= sinceMs && at < end;
    return engineEvents(record).flatMap((event) => (isIn || !isOfTurn(event) ? [{ at, event }] : []));
  });
}

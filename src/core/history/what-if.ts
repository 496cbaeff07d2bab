import type { WhatIfAnswer, WhatIfOutcome, WhatIfQuestion } from '../../contract/what-if';
import type { AgentPlan, ScopeConfig } from '../../engine';
import type { ScorecardReport } from '../../engine/scorecard';
import { type LogEntry, type Outcomes, ownValue, PRESETS, type TurnEnd, whatIf } from '../../engine/tools';
import type { LogRecord } from '../base/record';
import { engineEvents } from './engine-events';
import { forecastOf } from './forecast';

const EVERYBODY = '*';

/** Defaults for a log without a rule for near limits. */
const MOVES = { act: 'move', moveAt: 0.97 } as const;

/** Replaying this many turns takes most of a second and blocks everything else. */
export const TURNS_PLAYED = 10_000;

/** @param turns the maximum number of replayed turns. */
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
  // The log does not separate agents with a chain from those without.
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

/** Keeps everything outside of turns: chains must be set before them. */
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

function entriesOf(records: readonly LogRecord[], { sinceMs = 0, untilMs }: WhatIfQuestion): LogEntry[] {
  const end = untilMs ?? Number.POSITIVE_INFINITY;
  return records.flatMap((record): LogEntry[] => {
    const { at } = record;
    const isIn = at >= sinceMs && at < end;
    return engineEvents(record).flatMap((event) => (isIn || !isOfTurn(event) ? [{ at, event }] : []));
  });
}

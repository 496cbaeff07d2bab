import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BudgetRow } from '../contract/budget';
import { answer, onPush, type PanelHost } from '../contract/contract';
import type { AgentFigures, ScorecardDocument } from '../contract/scorecard';
import type { Snapshot } from '../contract/snapshot';
import { MODEL_STATES } from '../engine/names';
import type { FleetStatus } from '../features/fleet/contract/fleet';
import { NO_FLEET } from '../features/fleet/contract/no-fleet';
import { isOut } from '../wording/agent-record';
import { accountPhrase } from '../wording/headroom-words';
import { protectionOf } from '../wording/protection';
import { folderName } from '../wording/wording';
import { fillFleet } from './fleet-metrics';
import { presentSnapshot } from './present-snapshot';

export type Metrics = Readonly<{
  contentType: string;
  /** @throws Error if the core does not respond. */
  text(): Promise<string>;
  close(): void;
}>;

/** Period of the availability figures: an all-time figure would hide a bad day. */
const DAY_MS = 86_400_000;
/** Switches take tens of milliseconds; ten seconds is a turn that waited. */
const SWITCH_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * By the conventions of Prometheus. Counts come from the scorecard and survive restarts; durations of switches start
 * at zero.
 */
export function createMetrics(host: PanelHost): Metrics {
  const durations = new Histogram({
    name: 'understudy_switch_duration_seconds',
    help: 'Time from a failure to the request to the next model',
    buckets: SWITCH_BUCKETS_SECONDS,
    registers: [],
  });
  const watch = watchSwitches((seconds) => durations.observe(seconds));
  const stop = onPush(host, 'snapshot', watch);
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    async text() {
      const snapshot = await presentSnapshot(host);
      const reply = await answer(host.handlers, 'scorecard.get', {});
      const agents = await answer(host.handlers, 'scorecard.agents', { sinceMs: snapshot ? snapshot.at - DAY_MS : 0 });
      const fleet = await answer(host.handlers, 'fleet.get', null);
      if (snapshot === null || !reply.ok) throw new Error('Understudy does not answer.');
      watch(snapshot);
      const registry = new Registry();
      registry.registerMetric(durations);
      // `answer` validated the value against the contract.
      fillCounts(registry, reply.value as ScorecardDocument);
      // Unreadable attempts must not fail the other metrics.
      fillAgents(registry, agents.ok ? ((agents.value as AgentFigures[] | null) ?? []) : []);
      fillModelsLeft(registry, snapshot);
      fillState(registry, snapshot);
      fillHeadroom(registry, snapshot);
      fillBudgets(registry, snapshot);
      // Nor must an unavailable fleet.
      fillFleet(registry, fleet.ok ? (fleet.value as FleetStatus) : NO_FLEET, snapshot.at);
      return registry.metrics();
    },
    close: stop,
  };
}

/** Windows whose use is unknown since their reset have no figure. */
function fillHeadroom(registry: Registry, { headroom }: Snapshot): void {
  const registers = [registry];
  const labelNames = ['account', 'window', 'model'] as const;
  const left = new Gauge({
    name: 'understudy_headroom_ratio',
    help: 'Remaining share of an account limit, from 0 to 1',
    labelNames,
    registers,
  });
  const reset = new Gauge({
    name: 'understudy_headroom_reset_timestamp_seconds',
    help: 'Reset time of an account limit, in Unix seconds',
    labelNames,
    registers,
  });
  for (const account of headroom)
    for (const { id, model, family, used: part, resetAt } of account.windows) {
      const labels = { account: accountPhrase(account), window: id, model: model ?? family ?? '' };
      if (part !== null) left.set(labels, Math.max(0, 1 - part));
      if (part !== null && resetAt !== null) reset.set(labels, resetAt / 1_000);
    }
}

/** Excludes budgets of single sessions. */
function fillBudgets(registry: Registry, { budgets }: Snapshot): void {
  const registers = [registry];
  const labelNames = ['budget', 'action'] as const;
  const limit = new Gauge({
    name: 'understudy_budget_limit_dollars',
    help: 'Limit of a budget for its period, in US dollars',
    labelNames,
    registers,
  });
  const spent = new Gauge({
    name: 'understudy_budget_spent_dollars',
    help: 'Spent part of a budget in its current period, in US dollars',
    labelNames,
    registers,
  });
  for (const row of budgets) {
    if (row.session !== null) continue;
    const labels = { budget: budgetLabel(row), action: row.action };
    limit.set(labels, row.limit);
    spent.set(labels, row.spent);
  }
}

const budgetLabel = ({ period, provider, agent, directory }: BudgetRow): string =>
  [period, provider ?? agent ?? (directory && folderName(directory))].filter(Boolean).join(' ');

/** Reports each duration once, in seconds, from the first snapshot on. */
function watchSwitches(onSwitch: (seconds: number) => void): (snapshot: Snapshot) => void {
  let newest: number | null = null;
  const reported = new Set<number>();
  return ({ events }) => {
    newest ??= events[0]?.id ?? 0;
    for (const { id, to, durationMs } of events) {
      // A row gets its duration a moment after it appears.
      if (id <= newest || to === null || durationMs === null || reported.has(id)) continue;
      reported.add(id);
      onSwitch(durationMs / 1_000);
    }
    const oldest = events.at(-1)?.id ?? 0;
    for (const id of reported) if (id < oldest) reported.delete(id);
  };
}

const OUTCOMES = ['success', 'slow', 'failure', 'limited', 'neutral'] as const;
const TOKENS = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const;
const TURNS = ['answered', 'failed', 'neutral'] as const;

type CounterOf = <L extends string>(name: string, help: string, labelNames: readonly L[]) => Counter<L>;

function fillCounts(registry: Registry, { models, totals, switches, alert }: ScorecardDocument): void {
  const registers = [registry];
  const counter: CounterOf = (name, help, labelNames) =>
    new Counter({ name: `understudy_${name}`, help, labelNames, registers });
  fillRequests(counter, models);
  fillFlaws(counter, models);
  const turns = counter('turns_total', 'Finished turns, by outcome', ['outcome']);
  for (const outcome of TURNS) turns.inc({ outcome }, totals.turns[outcome]);
  counter('turns_saved_total', 'Turns that failed on the primary and were finished by a fallback model', []).inc(
    totals.turns.saved,
  );
  counter('retries_total', 'Retries of a model after a wait', []).inc(totals.retries);
  counter('waits_total', 'Times a turn waited for a model', []).inc(totals.waits.count);
  counter('waited_seconds_total', 'Seconds turns waited for models', []).inc(totals.waits.totalMs / 1_000);
  const switched = counter('switches_total', 'Switches to another model, by previous and next model', ['from', 'to']);
  for (const { from, to, count } of switches) switched.inc({ from, to }, count);
  new Gauge({
    name: 'understudy_failure_alert',
    help: '1 while ten failures within five minutes are recent',
    registers,
  }).set(Number(alert !== null));
}

type ModelFigures = ScorecardDocument['models'];

function fillRequests(counter: CounterOf, models: ModelFigures): void {
  const attempts = counter('attempts_total', 'Finished requests, by model and outcome', ['model', 'outcome']);
  const failures = counter('failures_total', 'Failed requests, by model and kind of failure', ['model', 'kind']);
  const opened = counter('circuit_openings_total', 'Number of times a circuit opened', ['model']);
  const unreached = counter(
    'network_openings_total',
    'Number of times a circuit opened because its provider was unreachable',
    ['model'],
  );
  const tokens = counter('tokens_total', 'Tokens used, by model and kind', ['model', 'kind']);
  const cost = counter('cost_usd_total', 'US dollars spent, for models with a known price', ['model']);
  for (const row of models) {
    const { model } = row;
    for (const outcome of OUTCOMES) attempts.inc({ model, outcome }, row.outcomes[outcome]);
    for (const [kind, count] of Object.entries(row.failureReasons)) failures.inc({ model, kind }, count);
    for (const kind of TOKENS) tokens.inc({ model, kind: snake(kind) }, row.tokens[kind]);
    opened.inc({ model }, row.circuitBreakerActivations);
    unreached.inc({ model }, row.networkActivations);
    if (row.cost.total !== null) cost.inc({ model }, Number(row.cost.total));
  }
}

/** Only some versions of OpenCode report these; without reports there is no figure. */
function fillFlaws(counter: CounterOf, models: ModelFigures): void {
  const tools = counter('tool_failures_total', 'Failed tool calls, by model and reason, if OpenCode reports them', [
    'model',
    'reason',
  ]);
  const repeats = counter(
    'tool_repeats_total',
    'Tool calls that failed for the same reason as the previous call, by model',
    ['model'],
  );
  const continued = counter(
    'continued_answers_total',
    'Number of times a model was told to continue, if OpenCode reports it',
    ['model'],
  );
  for (const { model, errors, quality } of models) {
    for (const [reason, count] of Object.entries(errors.toolReasons ?? {})) tools.inc({ model, reason }, count);
    if (errors.toolRepeats !== null) repeats.inc({ model }, errors.toolRepeats);
    if (typeof quality.continued === 'number') continued.inc({ model }, quality.continued);
  }
}

function fillAgents(registry: Registry, agents: readonly AgentFigures[]): void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `understudy_agent_${name}`, help, labelNames, registers: [registry] });
  const turns = gauge('turns', 'Turns of an agent in the last 24 hours, by outcome', ['agent', 'outcome']);
  const available = gauge('availability_ratio', 'Share of its turns answered in the last 24 hours', ['agent']);
  const alone = gauge('lead_availability_ratio', 'Share of turns that the primary alone would have answered', [
    'agent',
  ]);
  const rescued = gauge('fallback_answered_ratio', 'Share of turns on fallback models that were answered', ['agent']);
  const waited = gauge(
    'waited_seconds',
    'Seconds in the last 24 hours without a request to any model after a failure',
    ['agent'],
  );
  for (const { agent, turns: counts, availability, fallbacks, waitedMs } of agents) {
    waited.set({ agent }, waitedMs / 1_000);
    for (const outcome of TURNS) turns.set({ agent, outcome }, counts[outcome]);
    const ratios = [
      [available, availability.withFallback],
      [alone, availability.withoutFallback],
      [rescued, fallbacks],
    ] as const;
    for (const [ratio, { value }] of ratios) if (value !== null) ratio.set({ agent }, value);
  }
}

/** Of several projects with the same agent the lowest count. */
function fillModelsLeft(registry: Registry, snapshot: Snapshot): void {
  const left = new Map<string, number>();
  for (const { agent, chain } of protectionOf(snapshot).agents) {
    // The model of an agent without a chain is unknown.
    if (chain.length === 0) continue;
    const count = chain.filter((link) => !isOut(link)).length;
    left.set(agent, Math.min(count, left.get(agent) ?? count));
  }
  const gauge = new Gauge({
    name: 'understudy_agent_models_left',
    help: 'Available models of its chain, for agents of open OpenCode processes',
    labelNames: ['agent'],
    registers: [registry],
  });
  for (const [agent, count] of left) gauge.set({ agent }, count);
}

function fillState(registry: Registry, { app, models, instances, sessions }: Snapshot): void {
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `understudy_${name}`, help, labelNames, registers: [registry] });
  gauge('info', 'Version of Understudy', ['version']).set({ version: app.version }, 1);
  const state = gauge('model_state', '1 for the current state of a model, 0 for other states', ['model', 'state']);
  for (const row of models)
    for (const name of MODEL_STATES) state.set({ model: row.model, state: name }, Number(row.state === name));
  const connected = instances.filter(({ status }) => status === 'connected').length;
  gauge('opencode_instances', 'Connected OpenCode processes').set(connected);
  gauge('live_sessions', 'Running sessions').set(sessions.filter(({ isLive }) => isLive).length);
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

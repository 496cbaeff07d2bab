import type { AgentRecord } from '../../contract/agent-record';
import { DEFAULT_AGENT } from '../../contract/opencode-agents';
import type { AgentRow, SessionRow, Snapshot } from '../../contract/snapshot';
import { accountRows, nearOf } from '../../core/headroom/rows';
import type { UsageBook } from '../../core/history/usage';
import {
  accountFor,
  type EngineState,
  keyIn,
  lastFailureOf,
  planOf,
  providerOf,
  type Shortage,
  standingIn,
  unaccounted,
} from '../../engine';
import {
  dueFirst,
  emptierFor,
  get,
  isWithin,
  preferredAtIn,
  rootOf,
  shortFor,
  shortNow,
  stoppedBy,
} from '../../engine/tools';
import { recordOf } from '../../wording/agent-record';
import { reasonText, statePhrase, stateText } from '../../wording/agent-record-words';
import { budgetName, budgetSpent } from '../../wording/budget-words';
import { estimated, nearPhrase, partPhrase, rulingOf, windowPhrase } from '../../wording/headroom-words';
import { rowIn } from '../../wording/model-rows';
import { reasonPhrase } from '../../wording/reason-words';
import { costPhrase, usagePhrase } from '../../wording/usage-words';
import { clock, failurePhrase, shortName, stateWithin, when } from '../../wording/wording';
import { momentOf } from '../base/moment';
import type { Companion } from '../runtime/host';
import { ownSnapshot } from '../runtime/own-snapshot';
import type { TuiLine, TuiStatus } from '../tui/messages';

const SESSIONS_TOLD = 50;

type StatusSource = Readonly<{
  state: EngineState;
  now: number;
  wallOf(engineMs: number): number;
}>;

export function tuiStatus(
  directory: string,
  companion: Pick<Companion, 'brain' | 'instance' | 'usage'>,
  wall = Date.now(),
): TuiStatus {
  const snapshot = ownSnapshot(companion, wall);
  const moment = momentOf(companion.brain, wall);
  const lines = snapshot.sessions
    .filter((session) => session.directory === directory)
    .flatMap((session) => newestOf(session, moment.state).map((row) => ({ row, session })))
    .slice(0, SESSIONS_TOLD)
    .map(({ row, session }) => {
      const record = recordOf(row, { ...session, isLive: true }, snapshot);
      return [row.session, questionLine(row.session, moment) ?? sessionLine(record, snapshot, companion)] as const;
    });
  return { home: homeLine(directory, moment, snapshot), sessions: Object.fromEntries(lines) };
}

function newestOf({ agents }: SessionRow, { sessions }: EngineState): readonly AgentRow[] {
  return agents.filter(({ session, agent }) => get(sessions, session)?.agent === agent);
}

/** Best first; `short` is near a limit, and only used without an alternative. */
const USES = ['first', 'last', 'short'] as const;

function homeLine(directory: string, moment: StatusSource, snapshot: Snapshot): TuiLine | null {
  const { state, now } = moment;
  const agent = DEFAULT_AGENT;
  const chain = planOf(state, directory, agent)?.chain ?? [];
  const [lead] = chain;
  if (lead === undefined) return null;
  const stopped = stoppedBy(state, { directory, agent }, chain, now);
  if (stopped) return { text: `${agent}: sends nothing, ${nearPhrase(lead, nearOf(stopped))}`, tone: 'out' };
  const uses = chain.map((model) => {
    const { use } = standingIn(state, directory, model, now);
    return use !== 'out' && shortFor(state, { directory, agent }, model, now) !== null ? 'short' : use;
  });
  const best = USES.find((use) => uses.includes(use));
  const first = best === undefined ? undefined : chain[uses.indexOf(best)];
  if (first === undefined) return nobodyLine({ directory, agent, chain }, moment);
  const others = chain.filter((model, at) => model !== first && best === 'first' && uses[at] === best);
  const spread = emptierFor(state, { directory, agent }, { from: first, at: undefined, others, now });
  const active = spread?.model ?? first;
  const short = first === lead ? spread?.short : undefined;
  const { text, tone } = speakerLine(
    { directory, agent, active, lead, position: chain.indexOf(active), of: chain.length, short },
    moment,
  );
  return { text: joined(text, ...overspent(snapshot, { directory, agent, model: active })), tone };
}

/** "budget today: $5.02 of $5.00". */
function overspent(
  { budgets, at }: Snapshot,
  whose: Pick<AgentRecord, 'directory' | 'agent' | 'model'>,
): readonly string[] {
  const own = unaccounted(providerOf(whose.model));
  return budgets
    .filter(
      ({ spent, limit, session, agent, provider, directory }) =>
        spent >= limit &&
        session === null &&
        (agent ?? whose.agent) === whose.agent &&
        (provider ?? own) === own &&
        isWithin(directory ?? whose.directory, whose.directory),
    )
    .map((row) => `budget ${budgetName(row, at)}: ${budgetSpent(row)}`);
}

/** Null if no question of the session or its sub-agents waits. */
function questionLine(session: string, { state }: StatusSource): TuiLine | null {
  const openQuestion = state.questions.find((question) => rootOf(state, question.session) === session);
  return openQuestion ? { text: `${openQuestion.agent} waits for your answer: /yes or /no`, tone: 'away' } : null;
}

function sessionLine(record: AgentRecord, snapshot: Snapshot, { usage }: Pick<Companion, 'usage'>): TuiLine {
  const { at, models } = snapshot;
  const { agent, state, model, directory } = record;
  const name = shortName(model);
  const why = reasonText(record);
  const end = record.until === null ? '' : ` until about ${when(record.until, at)}`;
  switch (state) {
    case 'paused':
      return { text: `${agent}: paused, bring it back with /retry ${agent}`, tone: 'out' };
    case 'waitsForRetry':
      return { text: joined(`${agent}: waits for a retry${end}`, why), tone: 'out' };
    case 'waitsForPermission':
    case 'waitsForAnswer':
      return { text: `${agent}: ${stateText(record)}`, tone: 'away' };
    case 'allModelsUnavailable': {
      const back = record.until === null ? '' : `the first is back about ${when(record.until, at)}`;
      return { text: joined(`${agent}: ${statePhrase(record)}`, back), tone: 'out' };
    }
    case 'budgetSpent':
      return { text: joined(`${agent}: ${statePhrase(record)}${end}`, why), tone: 'out' };
    case 'waitsForFirstToken':
      return { text: `${agent}: ${placed(record)}, ${statePhrase(record)}`, tone: 'away', since: record.since };
    case 'onFallback': {
      const back =
        record.until === null || record.reason?.code === 'pinned' ? end.trim() : `back about ${when(record.until, at)}`;
      // Last, so that a narrow terminal cuts it first.
      return { text: joined(`${agent}: ${placed(record)}`, why, back, ...usedBy(record, usage)), tone: 'away' };
    }
    default: {
      if (record.reason?.code === 'stopped')
        return { text: `${agent}: stopped, ${name} takes the next message`, tone: 'out' };
      const health = stateWithin(rowIn(models, directory, model)?.state ?? 'unseen');
      const activity = state === 'running' ? `${name}, ${stateText(record)}` : `${name} ${health}`;
      const over = overspent(snapshot, record);
      return { text: joined(`${agent}: ${activity}`, why, ...over, ...usedBy(record, usage)), tone: 'well' };
    }
  }
}

const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(', ');

/** "gpt-5", "gpt-5 (2 of 4)". */
const placed = ({ model, position, of }: AgentRecord): string =>
  position === 1 ? shortName(model) : `${shortName(model)} (${position} of ${of})`;

/** "12.4k tokens", "$0.03"; empty before any use. */
function usedBy({ session, agent, model }: AgentRecord, usage: Pick<UsageBook, 'ofSessions'>): readonly string[] {
  const used = usage.ofSessions([session])?.by.find((row) => row.agent === agent && row.model === model);
  if (used === undefined) return [];
  return [usagePhrase(used), ...(used.cost === null ? [] : [costPhrase(used)])];
}

type Crew = Readonly<{ directory: string; agent: string; chain: readonly string[] }>;

function nobodyLine({ directory, agent, chain }: Crew, { state, now, wallOf }: StatusSource): TuiLine {
  const all = chain.map((model) => ({ model, standing: standingIn(state, directory, model, now) }));
  const usable = all.find(({ standing }) => standing.use !== 'out')?.model;
  const next = usable ?? dueFirst({ state, scope: get(state.scopes, directory), now }, all);
  if (next !== null) return { text: `${agent}: stopped, ${shortName(next)} takes the next message`, tone: 'out' };
  const ends = all.flatMap(({ standing }) => standing.until ?? []);
  const first = ends.length === 0 ? '' : `, the first is back about ${clock(wallOf(Math.min(...ends)))}`;
  return { text: `${agent}: all models unavailable${first}`, tone: 'out' };
}

type Speaking = Readonly<{
  directory: string;
  agent: string;
  active: string;
  lead: string;
  position: number;
  of: number;
  /** Set if a less used account replaces the lead's, which is available. */
  short?: Shortage | undefined;
}>;

/** "build: sonnet ready", or "build: gpt-5 (2 of 4), sonnet is rate limited, back about 14:32". */
function speakerLine(
  { directory, agent, active, lead, position, of, short: spread }: Speaking,
  moment: StatusSource,
): TuiLine {
  const { state, now, wallOf } = moment;
  const well = stateWithin(standingIn(state, directory, active, now).state);
  if (position === 0)
    return {
      text: [`${agent}: ${shortName(active)} ${well}`, ...nearlyFull(directory, active, moment)].join(', '),
      tone: 'well',
    };
  if (spread && standingIn(state, directory, lead, now).use === 'first')
    return { text: `${agent}: ${shortName(active)} ${well}, ${nearPhrase(lead, nearOf(spread))}`, tone: 'well' };
  const healthy = preferredAtIn(state, keyIn(state, directory, lead), now);
  const short = healthy === null ? shortNow(state, { directory, agent, why: null }, lead, now) : null;
  const back = healthy ?? short?.until ?? null;
  const until = back === null ? '' : `, back about ${when(wallOf(back), wallOf(now))}`;
  return {
    text: `${agent}: ${shortName(active)} (${position + 1} of ${of}), ${short ? nearPhrase(lead, nearOf(short)) : reasonOf(directory, lead, moment)}${until}`,
    tone: 'away',
  };
}

const NEARLY_FULL = 0.8;

/** "84 % of its 5 h limit used". */
function nearlyFull(directory: string, active: string, moment: StatusSource): readonly string[] {
  const account = accountFor(moment.state, directory, active);
  const row = accountRows(moment).find((each) => each.account === account);
  const plans = row?.windows.filter(({ isPlan, model }) => isPlan && (model === null || model === active)) ?? [];
  const ruling = rulingOf({ windows: plans });
  if (ruling === null || (ruling.used ?? 0) < NEARLY_FULL) return [];
  const used = `${partPhrase(ruling.used ?? 0)} of its ${windowPhrase({ ...ruling, model: null })} used`;
  return [estimated(used, ruling.source !== 'provider')];
}

/** "sonnet is rate limited"; the lead's state if nothing failed. */
function reasonOf(directory: string, lead: string, { state, now }: StatusSource): string {
  const standing = standingIn(state, directory, lead, now);
  const last = lastFailureOf(state, keyIn(state, directory, lead));
  if (standing.kind !== null)
    return failurePhrase(lead, standing.kind, last?.kind === standing.kind ? last.status : null);
  const held = standing.state === 'held' && standing.code !== null ? reasonPhrase(standing.code) : null;
  return held === null ? `${shortName(lead)} ${stateWithin(standing.state)}` : `${shortName(lead)} is ${held}`;
}

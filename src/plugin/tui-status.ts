import {
  clock,
  costPhrase,
  estimated,
  failurePhrase,
  nearPhrase,
  partPhrase,
  reasonPhrase,
  rulingOf,
  shortName,
  stateWithin,
  usagePhrase,
  when,
  whyPhrase,
  windowPhrase,
} from '../contract';
import { accountRows, nearOf } from '../core/headroom/rows';
import type { UsageBook } from '../core/history/usage';
import { shownWait } from '../core/waits';
import { accountFor, type EngineState, keyIn, planOf, type Shortage, standingIn } from '../engine';
import {
  dueFirst,
  type EngineView,
  emptierFor,
  get,
  preferredAtIn,
  rootOf,
  shortFor,
  shortNow,
  spreadNow,
  viewOf,
} from '../engine/tools';
import type { TuiLine, TuiStatus } from './tui/messages';

/** The agent OpenCode begins with. */
const FIRST_AGENT = 'build';
const SESSIONS_TOLD = 50;

type StatusSource = Readonly<{
  state: EngineState;
  usage: Pick<UsageBook, 'ofSessions'>;
  now: number;
  wallOf(engineMs: number): number;
}>;
type Speaker = EngineView['speakers'][number];

export function tuiStatus(directory: string, moment: StatusSource): TuiStatus {
  const { sessions, speakers } = viewOf(moment.state, moment.now);
  const lines = sessions
    .filter((session) => session.directory === directory)
    .sort((a, b) => b.at - a.at)
    .slice(0, SESSIONS_TOLD)
    .flatMap(({ session, agent }) => {
      const speaker = speakers.find((other) => other.session === session && other.agent === agent);
      return speaker ? [[session, questionLine(session, moment) ?? sessionLine(speaker, moment)] as const] : [];
    });
  return { home: homeLine(directory, moment), sessions: Object.fromEntries(lines) };
}

/** What a model is used for, the best first; one that is near its limit only where nobody else may speak. */
const USES = ['first', 'last', 'short'] as const;

/** Who will answer the first message, and how the lead is when that is another one. */
function homeLine(directory: string, moment: StatusSource): TuiLine | null {
  const { state, now } = moment;
  const agent = FIRST_AGENT;
  const chain = planOf(state, directory, agent)?.chain ?? [];
  const [lead] = chain;
  if (lead === undefined) return null;
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
  return speakerLine(
    { directory, agent, active, lead, position: chain.indexOf(active), of: chain.length, short },
    moment,
  );
}

/** A conversation that waits for its user, or for one of its sub-agents' questions; null for any other. */
function questionLine(session: string, { state }: StatusSource): TuiLine | null {
  const asked = state.questions.find((question) => rootOf(state, question.session) === session);
  return asked ? { text: `${asked.agent} waits for your answer: /yes or /no`, tone: 'away' } : null;
}

function sessionLine(speaker: Speaker, moment: StatusSource): TuiLine {
  const { directory, agent, degraded } = speaker;
  const chain = speaker.chain.map(({ model }) => model);
  if (degraded) return { text: `${agent}: left out of this session, bring it back with /retry ${agent}`, tone: 'out' };
  const waits = shownWait(speaker, { ...moment, instances: [] });
  if (waits) {
    const until = waits.until === null ? '' : ` until about ${clock(waits.until)}`;
    return { text: `${agent}: waits${until}, ${whyPhrase({ ...waits, from: waits.model })}`, tone: 'out' };
  }
  if (speaker.status === 'exhausted') return nobodyLine({ directory, agent, chain }, moment);
  const isFree = speaker.why !== null && shortNow(moment.state, speaker, speaker.lead, moment.now) === null;
  const short = isFree ? (spreadNow(moment.state, speaker, moment.now) ?? undefined) : undefined;
  const { text, tone } = speakerLine({ ...speaker, of: chain.length, short }, moment);
  // Last, so that it is what goes first where there is no room.
  return { text: [text, ...usedBy(speaker, moment)].join(', '), tone };
}

/** "12.4k tokens", "$0.03": what the model that speaks has used for its agent in this session; nothing before it has. */
function usedBy({ session, agent, active }: Speaker, { usage }: StatusSource): readonly string[] {
  const used = usage.ofSessions([session])?.by.find((row) => row.agent === agent && row.model === active);
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
  return { text: `${agent}: no model left, ${chain.length} of ${chain.length} out${first}`, tone: 'out' };
}

type Speaking = Readonly<{
  directory: string;
  agent: string;
  active: string;
  lead: string;
  position: number;
  of: number;
  why?: Speaker['why'];
  /** It is asked by an emptier account than its lead's, which is well. */
  short?: Shortage | undefined;
}>;

/** "build: sonnet ready", or "build: gpt-5 (2 of 4), sonnet is rate limited, back about 14:32". */
function speakerLine(
  { directory, agent, active, lead, position, of, why = null, short: spread }: Speaking,
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
  const short = healthy === null ? shortNow(state, { directory, agent, why }, lead, now) : null;
  const back = healthy ?? short?.until ?? null;
  const until = back === null ? '' : `, back about ${when(wallOf(back), wallOf(now))}`;
  return {
    text: `${agent}: ${shortName(active)} (${position + 1} of ${of}), ${short ? nearPhrase(lead, nearOf(short)) : reasonOf(directory, lead, moment)}${until}`,
    tone: 'away',
  };
}

/** From this part of a plan on the line tells of it. */
const NEARLY_FULL = 0.8;

/** "84 % of its 5 h limit used": of the model that speaks, where the plan that rules it is nearly spent. */
function nearlyFull(directory: string, active: string, moment: StatusSource): readonly string[] {
  const account = accountFor(moment.state, directory, active);
  const row = accountRows(moment).find((each) => each.account === account);
  const plans = row?.windows.filter(({ isPlan, model }) => isPlan && (model === null || model === active)) ?? [];
  const ruling = rulingOf({ windows: plans });
  if (ruling === null || (ruling.used ?? 0) < NEARLY_FULL) return [];
  const used = `${partPhrase(ruling.used ?? 0)} of its ${windowPhrase({ ...ruling, model: null })} used`;
  return [estimated(used, ruling.source !== 'provider')];
}

/** "sonnet is rate limited": why somebody else speaks; how it is where nothing has failed. */
function reasonOf(directory: string, lead: string, { state, now }: StatusSource): string {
  const standing = standingIn(state, directory, lead, now);
  if (standing.kind !== null) return failurePhrase(lead, standing.kind, null);
  const held = standing.state === 'held' && standing.code !== null ? reasonPhrase(standing.code) : null;
  return held === null ? `${shortName(lead)} ${stateWithin(standing.state)}` : `${shortName(lead)} is ${held}`;
}

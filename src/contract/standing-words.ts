import type { ModelState } from '../engine/names';
import { standingTexts } from '../texts';
import { questionPhrase } from './act-words';
import type { AgentRow, ModelRow, SessionRow, Snapshot } from './snapshot';
import { agentLabel, clock, counted, failurePhrase, kindPhrase, shortName, stateWithin } from './wording';

/** "primary, 1 of 4" or "2 of 4, understudy". */
export function positionPhrase({ position, chain }: Pick<AgentRow, 'position' | 'chain'>): string {
  const { lead, understudy } = standingTexts().position;
  return position === 0 ? lead(chain.length) : understudy(position + 1, chain.length);
}

/** Why an agent speaks through the model it speaks through: the line under the model. */
export function agentReason(row: AgentRow): string {
  const said = standingTexts().agent;
  const why = row.why ? failurePhrase(row.why.from, row.why.kind, row.why.status) : '';
  if (row.isLeftOut) return said.leftOut(why);
  if (isStuck(row)) return waitPhrase(row);
  if (row.status === 'exhausted') {
    const back = firstUsable(row);
    if (back !== null) return said.stopped(shortName(back), why);
    return row.chain.length === 1 ? said.onlyOut(why) : said.allOut(row.chain.length, why);
  }
  if (row.why) return why;
  if (row.position > 0) return said.inPlace(shortName(row.lead));
  if (row.chain.length === 1) return said.oneModel;
  if (row.turns === 0) return row.status === 'working' ? said.firstTurn : said.idle;
  const turns = counted(row.turns, 'turn');
  return row.switches === 0 ? said.onPrimary(turns) : said.switched(turns, counted(row.switches, 'switch'));
}

/** When an agent goes home and no clock says it; null when it is home or its countdown says it. */
export function homePhrase(row: AgentRow): string | null {
  const said = standingTexts().home;
  const lead = row.chain[0];
  if (row.position === 0 || row.status === 'exhausted' || !lead) return null;
  if (lead.state === 'blocked') return said.needsYou(shortName(lead.model));
  if (lead.state === 'ready' || lead.state === 'degraded') return said.next;
  return row.why?.until == null ? said.ready : null;
}

/** "2 ready, 1 cooling": how the models of a chain are, in the order of the chain. */
export function statesPhrase(chain: readonly { state: ModelState }[]): string {
  const counts = new Map<ModelState, number>();
  for (const { state } of chain) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${stateWithin(state)}`).join(', ');
}

/** What is weak about a chain however healthy it is; null when nothing is. */
export function chainCaution(agent: string, chain: readonly { model: string }[]): string | null {
  const said = standingTexts().caution;
  if (chain.length === 1) return said.oneModel(agentLabel(agent));
  const providers = [...new Set(chain.map(({ model }) => model.slice(0, model.indexOf('/'))))];
  const [only] = providers;
  return providers.length === 1 ? said.sharedFate(chain.length, `${only}`) : null;
}

/** "4 models, 3 providers. 2 ready, 1 to look at, 1 not used yet. Worst first, then busiest." */
export function modelsPhrase(models: readonly ModelRow[]): string {
  const said = standingTexts().models;
  const ready = models.filter((row) => row.state === 'ready').length;
  const unseen = models.filter((row) => row.state === 'unseen').length;
  const others = models.length - ready - unseen;
  const parts = [said.ready(ready), others > 0 ? said.toLookAt(others) : '', unseen > 0 ? said.unseen(unseen) : ''];
  const providers = new Set(models.map((row) => row.provider)).size;
  const totals = `${counted(models.length, 'model')}, ${counted(providers, 'provider')}`;
  return `${totals}. ${parts.filter(Boolean).join(', ')}. ${said.order}`;
}

type Verdict = Readonly<{ title: string; lede: string }>;

/** What a view opens with when the panel no longer hears its core; `asOf` is wall-clock ms of the last news. */
export function staleVerdict(asOf: number): Verdict {
  const { title, lede } = standingTexts().stale;
  return { title, lede: lede(clock(asOf, true)) };
}

/** The one sentence a view opens with, and the one under it: of all there is to say, the worst. Every surface says the same. */
export function verdict(snapshot: Snapshot): Verdict {
  const [question] = snapshot.questions;
  if (question) {
    return { title: standingTexts().asks(question.agent), lede: questionPhrase(question).title };
  }
  const sessions = snapshot.sessions.filter((session) => session.isLive);
  const live = sessions.flatMap((session) => session.agents);
  return (
    stuckVerdict(live) ??
    downVerdict(live) ??
    leftOutVerdict(live) ??
    awayVerdict(sessions) ??
    blockedVerdict(live) ??
    failingVerdict(sessions) ??
    unprotectedVerdict(live) ??
    calmVerdict(snapshot, live.length)
  );
}

/** Whether the turn of an agent stands still after a failure. */
export const isStuck = ({ waits, isLeftOut }: AgentRow): boolean => waits !== undefined && !isLeftOut;

/** What an agent's turn stands still for. */
function waitPhrase({ waits, isAlone = false }: AgentRow): string {
  const said = standingTexts().stuck;
  if (!waits) return '';
  const why = failurePhrase(waits.model, waits.kind, waits.status);
  const at = waitEnd(waits);
  if (waits.by === 'hold') return said.held(why, at);
  return isAlone ? said.alone(why, at) : said.passedOn(why, at);
}

/** When a wait ends, as a clock time; empty where nobody knows, or where that is no time of this day. */
export const waitEnd = (waits: AgentRow['waits']): string =>
  waits?.until == null || waits.until - waits.since > DAY_MS ? '' : clock(waits.until);
const DAY_MS = 86_400_000;

function stuckVerdict(live: readonly AgentRow[]): Verdict | null {
  const said = standingTexts().stuck;
  const [first, ...others] = live.filter(isStuck);
  if (!first) return null;
  const until = waitEnd(first.waits);
  const title = others.length === 0 ? said.one(first.agent, until) : said.many(1 + others.length);
  return { title, lede: `${waitPhrase(first)}.` };
}

/** Nothing is wrong, and one failure would stop somebody. */
function unprotectedVerdict(live: readonly AgentRow[]): Verdict | null {
  const said = standingTexts().unprotected;
  const agents = [...new Set(live.map(({ agent }) => agent))];
  const alone = [...new Set(live.filter(({ isAlone }) => isAlone).map(({ agent }) => agent))];
  const [first] = alone;
  if (!first) return null;
  return {
    title: alone.length === 1 ? said.one(first) : said.many(alone.length, agents.length),
    lede: said.lede(alone.length),
  };
}

function downVerdict(live: readonly AgentRow[]): Verdict | null {
  const said = standingTexts().exhausted;
  const down = live.find(isDown);
  if (!down) return null;
  const back = firstUsable(down);
  if (back !== null) return { title: said.stopped(down.agent), lede: said.again(shortName(back)) };
  return { title: said.title(down.agent), lede: said.lede(down.chain.length) };
}

function leftOutVerdict(live: readonly AgentRow[]): Verdict | null {
  const { one, many, lede } = standingTexts().leftOut;
  const [first, ...others] = live.filter((row) => row.isLeftOut);
  if (!first) return null;
  return { title: others.length === 0 ? one(first.agent) : many(1 + others.length), lede };
}

function awayVerdict(sessions: readonly SessionRow[]): Verdict | null {
  const { one, many } = standingTexts().away;
  const [first, ...others] = sessions.flatMap(({ agents }) => agents.filter(isAway));
  if (!first) return null;
  return {
    title: others.length === 0 ? one(first.agent) : many(1 + others.length),
    lede: [sessions.flatMap(returnPhrases).join('; ').concat('.'), ...failures(sessions)].join(' '),
  };
}

function blockedVerdict(live: readonly AgentRow[]): Verdict | null {
  const said = standingTexts().blocked;
  const blocked = live.find(({ chain }) => chain[0]?.state === 'blocked');
  return blocked ? { title: said.title(shortName(blocked.lead)), lede: said.lede(blocked.agent) } : null;
}

function failingVerdict(sessions: readonly SessionRow[]): Verdict | null {
  const troubled = sessions.find(({ requests }) => requests?.isOutage);
  if (!troubled) return null;
  return { title: standingTexts().failing.title(troubled.project), lede: failures(sessions).join(' ') };
}

/** How the last requests of each session went whose connection or provider is out. */
const failures = (sessions: readonly SessionRow[]): string[] =>
  sessions.flatMap(({ project, requests }) =>
    requests?.isOutage ? [standingTexts().failing.lede(project, requests.failed, requests.asked)] : [],
  );

function calmVerdict({ connection, chains }: Snapshot, live: number): Verdict {
  const said = standingTexts().calm;
  if (connection.status !== 'connected') return said[connection.status];
  if (live > 0) return said.primary;
  return chains.some((row) => row.chain.length > 1) ? said.ready : said.noChain;
}

/** What each agent of a session that is away from its lead waits for; with the project where there are several. */
function returnPhrases(session: SessionRow, _: number, all: readonly SessionRow[]): string[] {
  const { inProject } = standingTexts().away;
  const projects = new Set(all.filter((other) => other.agents.some(isAway)).map((other) => other.project));
  return session.agents
    .filter(isAway)
    .map((row) => returnPhrase(row, projects.size > 1 ? inProject(row.agent, session.project) : row.agent));
}

const isAway = (row: AgentRow): boolean => row.position > 0 && row.status !== 'exhausted';

/** Whether an agent can go on with nobody: its turn found no model, or its next one would find none. */
export const isDown = ({ status, isLeftOut, chain }: AgentRow): boolean =>
  !isLeftOut && (status === 'exhausted' || (chain.length > 0 && chain.every(isOut)));

type Link = AgentRow['chain'][number];

const OUT: readonly Link['state'][] = ['cooling', 'open', 'blocked'];

/** Whether no request goes to this member of a chain. */
const isOut = ({ state, code }: Link): boolean => OUT.includes(state) || (state === 'held' && code !== 'held.closed');

/** The first model of the chain that takes requests now; null when all are out. */
const firstUsable = ({ chain }: AgentRow): string | null => chain.find((link) => !isOut(link))?.model ?? null;

/** "2 of 3": how many models of an agent's chain are out. */
export const outPhrase = ({ chain }: AgentRow): string => `${chain.filter(isOut).length} of ${chain.length} out`;

function returnPhrase({ lead, active, why }: AgentRow, name: string): string {
  const said = standingTexts().away;
  if (!why) return said.speaks(name, shortName(active));
  return why.until === null
    ? said.left(name, shortName(why.from), kindPhrase(why.kind, why.status))
    : said.returns(name, shortName(lead), clock(why.until));
}

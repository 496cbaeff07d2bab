import type { ModelState } from '../engine/kinds';
import { standingTexts } from '../texts';
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
  if (row.status === 'exhausted')
    return row.chain.length === 1 ? said.onlyOut(why) : said.allOut(row.chain.length, why);
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

/** The one sentence a view opens with, and the one under it. Every surface says the same. */
export function verdict(snapshot: Snapshot): Verdict {
  const { exhausted, away, failing } = standingTexts();
  const sessions = snapshot.sessions.filter((session) => session.isLive);
  const live = sessions.flatMap((session) => session.agents);
  const out = live.find((row) => row.status === 'exhausted');
  const [first, ...others] = live.filter(isAway);
  if (out) return { title: exhausted.title(out.agent), lede: exhausted.lede(out.chain.length) };
  const troubles = sessions.flatMap(({ project, requests }) =>
    requests?.isOutage ? [failing(project, requests.failed, requests.asked)] : [],
  );
  if (!first) return calmVerdict(snapshot, live.length, troubles);
  return {
    title: others.length === 0 ? away.one(first.agent) : away.many(1 + others.length),
    lede: [sessions.flatMap(returnPhrases).join('; ').concat('.'), ...troubles].join(' '),
  };
}

function calmVerdict({ connection, chains }: Snapshot, live: number, troubles: readonly string[]): Verdict {
  const said = standingTexts().calm;
  if (connection.status !== 'connected') return said[connection.status];
  if (live > 0) return troubles.length === 0 ? said.primary : { ...said.primary, lede: troubles.join(' ') };
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

function returnPhrase({ lead, active, why }: AgentRow, name: string): string {
  const said = standingTexts().away;
  if (!why) return said.speaks(name, shortName(active));
  return why.until === null
    ? said.left(name, shortName(why.from), kindPhrase(why.kind, why.status))
    : said.returns(name, shortName(lead), clock(why.until));
}

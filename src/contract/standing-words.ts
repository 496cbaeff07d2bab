import type { ModelState } from '../engine/names';
import { attentionTexts, standingTexts } from '../texts';
import { budgetPhrase, whyPhrase } from './headroom-words';
import type { AgentRow, ModelRow } from './snapshot';
import { firstUsable, isDown, isOut, isStuck } from './standing';
import { agentLabel, clock, counted, shortName, stateWithin } from './wording';

/** "primary, 1 of 4", "2 of 4, understudy" or "2 of 4, the same model". */
export function positionPhrase({
  position,
  chain,
  isSpread,
}: Pick<AgentRow, 'position' | 'chain' | 'isSpread'>): string {
  const { lead, understudy, spread } = standingTexts().position;
  if (isSpread) return spread(position + 1, chain.length);
  return position === 0 ? lead(chain.length) : understudy(position + 1, chain.length);
}

/** Why an agent speaks through the model it speaks through: the line under the model. */
export function agentReason(row: AgentRow): string {
  const said = standingTexts().agent;
  const why = row.why ? whyPhrase(row.why) : '';
  if (row.isLeftOut) return said.leftOut(why);
  if (isStuck(row)) return waitPhrase(row);
  if (row.halted) return budgetPhrase(row.halted.near);
  if (isDown(row)) {
    const back = firstUsable(row.chain);
    return back === null ? said.allOut(row.chain.length, why) : said.stopped(shortName(back), why);
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
  if (row.isSpread) return row.why ? said.spread : said.next;
  // The countdown to its limit's reset says it.
  if (row.why?.near && row.why.until !== null) return null;
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

/** What a view opens with when the panel no longer hears its core; `asOf` is wall-clock ms of the last news. */
export function staleVerdict(asOf: number): Readonly<{ title: string; lede: string }> {
  const { title, lede } = standingTexts().stale;
  return { title, lede: lede(clock(asOf, true)) };
}

/** What an agent's turn stands still for. */
export function waitPhrase({ waits }: AgentRow): string {
  const said = attentionTexts().stuck;
  if (!waits) return '';
  const why = waits.isLoop ? said.loop : whyPhrase({ ...waits, from: waits.model });
  return waits.by === 'hold' ? said.goesOn(why) : said.hostRetries(why);
}

/** "2 of 3": how many models of an agent's chain are out. */
export const outPhrase = ({ chain }: AgentRow): string => `${chain.filter(isOut).length} of ${chain.length} out`;

import type { AgentRecord } from '../contract/agent-record';
import type { AgentRow, ModelRow } from '../contract/snapshot';
import type { ModelState } from '../engine/names';
import { standingTexts } from '../texts';
import { reasonSentence, reasonText, stateText } from './agent-record-words';
import { agentLabel, capitalized, clock, counted, shortName, stateWithin } from './wording';

/** "primary, 1 of 4", "2 of 4, fallback model" or "2 of 4, the same model". */
export function positionPhrase({ position, of, reason }: AgentRecord): string {
  const { lead, understudy, spread } = standingTexts().position;
  if (reason?.code === 'spread') return spread(position, of);
  return position === 1 ? lead(of) : understudy(position, of);
}

/** The line under the model of an agent: its state and cause, or its turns. */
export function agentReason(record: AgentRecord, row: Pick<AgentRow, 'turns' | 'switches'>): string {
  if (record.state === 'onFallback') return reasonSentence(record);
  if (record.state === 'idle') return reasonSentence(record) || turnsPhrase(record, row);
  return [capitalized(stateText(record)), reasonText(record) || turnsPhrase(record, row)].filter(Boolean).join('; ');
}

function turnsPhrase(
  { of, position, state }: AgentRecord,
  { turns, switches }: Pick<AgentRow, 'turns' | 'switches'>,
): string {
  const t = standingTexts().agent;
  if (state !== 'idle' && state !== 'running') return '';
  if (of === 1) return t.oneModel;
  if (turns === 0) return state === 'running' ? t.firstTurn : t.idle;
  const count = counted(turns, 'turn');
  return switches === 0 && position === 1 ? t.onPrimary(count) : t.switched(count, counted(switches, 'switch'));
}

/** The condition for the return to the primary if it has no time; null otherwise. */
export function homePhrase({ state, reason, until, action }: AgentRecord): string | null {
  const t = standingTexts().home;
  if (reason?.code === 'spread') return reason.near ? t.spread : t.next;
  if (state !== 'onFallback' || reason?.code === 'pinned' || reason?.code === 'available') return null;
  if (action === 'fixModel') return t.needsYou(shortName(reason?.model ?? ''));
  return until === null ? (reason?.code === 'near' ? t.next : t.ready) : null;
}

/** The states of a chain's models, in its order: "2 ready, 1 cooling". */
export function statesPhrase(chain: readonly { state: ModelState }[]): string {
  const counts = new Map<ModelState, number>();
  for (const { state } of chain) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${stateWithin(state)}`).join(', ');
}

/** A weakness of a chain that is independent of health; null for none. */
export function chainCaution(agent: string, chain: readonly { model: string }[]): string | null {
  const t = standingTexts().caution;
  if (chain.length === 1) return t.oneModel(agentLabel(agent));
  const providers = [...new Set(chain.map(({ model }) => model.slice(0, model.indexOf('/'))))];
  const [only] = providers;
  return providers.length === 1 ? t.sharedFate(chain.length, `${only}`) : null;
}

/** "4 models, 3 providers. 2 ready, 1 to check, 1 not used yet. Worst first, then busiest." */
export function modelsPhrase(models: readonly ModelRow[]): string {
  const t = standingTexts().models;
  const ready = models.filter((row) => row.state === 'ready').length;
  const unseen = models.filter((row) => row.state === 'unseen').length;
  const others = models.length - ready - unseen;
  const parts = [t.ready(ready), others > 0 ? t.toLookAt(others) : '', unseen > 0 ? t.unseen(unseen) : ''];
  const providers = new Set(models.map((row) => row.provider)).size;
  const totals = `${counted(models.length, 'model')}, ${counted(providers, 'provider')}`;
  return `${totals}. ${parts.filter(Boolean).join(', ')}. ${t.order}`;
}

/** The headline of a view without a connection to the core; `asOf` is the time of its data, in wall-clock ms. */
export function staleVerdict(asOf: number): Readonly<{ title: string; lede: string }> {
  const { title, lede } = standingTexts().stale;
  return { title, lede: lede(clock(asOf, true)) };
}

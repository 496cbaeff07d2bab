import { kindPhrase } from '../engine/kind-phrase';
import type { ModelState } from '../engine/kinds';
import type { AgentRow, EventRow, ModelRow, SessionRow, Snapshot } from './snapshot';

export { kindPhrase };

/** The words for model states on every surface. Source: the vocabulary table. */
export const STATE_LABELS: Readonly<Record<ModelState, string>> = {
  ready: 'Ready',
  degraded: 'Degraded',
  cooling: 'Cooling',
  resting: 'Resting',
  open: 'Open',
  probing: 'Probing',
  blocked: 'Needs you',
  held: 'Held',
  unseen: 'Not used yet',
};

/** The model's name without its provider path. */
export function shortName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1);
}

/** "Degraded 2/3", "Cooling": a state with its count. */
export function stateLabel(row: Pick<ModelRow, 'state' | 'failures' | 'failureThreshold'>): string {
  return row.state === 'degraded'
    ? `${STATE_LABELS.degraded} ${row.failures}/${row.failureThreshold}`
    : STATE_LABELS[row.state];
}

/** "14 min", "0:42", "2 h": the time left, in the steps people can use; never negative. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `0:${String(seconds).padStart(2, '0')}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** A clock time in the reader's own zone, `14:32`; with seconds when asked. */
export function clock(at: number, withSeconds = false): string {
  return new Date(at).toTimeString().slice(0, withSeconds ? 8 : 5);
}

/** "primary, 1 of 4" or "2 of 4, understudy". */
export function positionPhrase(row: Pick<AgentRow, 'position' | 'chain'>): string {
  const of = `${row.position + 1} of ${row.chain.length}`;
  return row.position === 0 ? `primary, ${of}` : `${of}, understudy`;
}

/** Whose clock a time is. */
export const OWNER_PHRASES = { provider: 'provider says', estimate: 'our estimate' } as const;

/** What the connection to OpenCode is, in two words at most where it is well. */
export const CONNECTION_LABELS: Readonly<Record<Snapshot['connection']['status'], string>> = {
  waiting: 'Waiting for OpenCode',
  connected: 'Connected',
  lost: 'Not connected',
  incompatible: 'Versions differ',
};

/** What a decision did with a model it considered. */
export const TRACE_LABELS: Readonly<Record<EventRow['trace'][number]['verdict'], string>> = {
  chosen: 'Chosen',
  skipped: 'Skipped',
  failed: 'Failed',
};

/** How long something has lasted, without seconds: "under 1 min", "4 min", "2 h". */
export function elapsed(ms: number): string {
  return ms < 60_000 ? 'under 1 min' : remaining(ms);
}

/** "900 ms", "1.4 s", "2.5 min", "1 h": a time that was measured. */
export function measured(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 6_000) / 10} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
}

/** "1 turn", "2 turns". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : noun.endsWith('ch') ? 'es' : 's'}`;
}

/** An agent as people call it; `*` is a chain for whoever has none of their own. */
export function agentLabel(agent: string): string {
  return agent === '*' ? 'every other agent' : agent;
}

/** Why an agent speaks through the model it speaks through: the line under the model. */
export function agentReason(row: AgentRow): string {
  if (row.status === 'exhausted') {
    const last = row.why ? `; ${shortName(row.why.from)} is ${kindPhrase(row.why.kind, row.why.status)}` : '';
    return row.chain.length === 1 ? `Its only model is out${last}` : `All ${row.chain.length} models are out${last}`;
  }
  if (row.why) return `${shortName(row.why.from)} is ${kindPhrase(row.why.kind, row.why.status)}`;
  if (row.position > 0) return `Speaks in place of ${shortName(row.lead)}`;
  if (row.chain.length === 1) return 'One model: if it fails, work stops';
  if (row.turns === 0) return row.status === 'working' ? 'First turn under way' : 'Idle, chain armed';
  return `${counted(row.turns, 'turn')}, ${row.switches === 0 ? 'all on the primary' : counted(row.switches, 'switch')}`;
}

/** When an agent goes home and no clock says it; null when it is home or its countdown says it. */
export function homePhrase(row: AgentRow): string | null {
  const lead = row.chain[0];
  if (row.position === 0 || row.status === 'exhausted' || !lead) return null;
  if (lead.state === 'blocked') return `${shortName(lead.model)} needs you: mend what it says, then reset it`;
  if (lead.state === 'ready' || lead.state === 'degraded') return 'Returns with the next message';
  return row.why?.until == null ? 'Returns when it is ready again' : null;
}

/** "2 ready, 1 cooling": how the models of a chain are, in the order of the chain. */
export function statesPhrase(chain: readonly { state: ModelState }[]): string {
  const counts = new Map<ModelState, number>();
  for (const { state } of chain) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, count]) => `${count} ${STATE_LABELS[state].toLowerCase()}`).join(', ');
}

/** What is weak about a chain however healthy it is; null when nothing is. */
export function chainCaution(agent: string, chain: readonly { model: string }[]): string | null {
  if (chain.length === 1) return `${agentLabel(agent)} has one model. If it fails, work stops.`;
  const providers = new Set(chain.map(({ model }) => model.slice(0, model.indexOf('/'))));
  return providers.size === 1
    ? `Shared fate: ${chain.length === 2 ? 'both' : `all ${chain.length}`} models use ${[...providers][0]}.`
    : null;
}

/** "4 models, 3 providers. 2 ready, 1 to look at, 1 not used yet. Worst first, then busiest." */
export function modelsPhrase(models: readonly ModelRow[]): string {
  const ready = models.filter((row) => row.state === 'ready').length;
  const unseen = models.filter((row) => row.state === 'unseen').length;
  const parts = [
    `${ready} ready`,
    models.length - ready - unseen > 0 ? `${models.length - ready - unseen} to look at` : '',
    unseen > 0 ? `${unseen} not used yet` : '',
  ];
  const providers = new Set(models.map((row) => row.provider)).size;
  const totals = `${counted(models.length, 'model')}, ${counted(providers, 'provider')}`;
  return `${totals}. ${parts.filter(Boolean).join(', ')}. Worst first, then busiest.`;
}

/** What a view opens with when the panel no longer hears its core; `asOf` is wall-clock ms of the last news. */
export function staleVerdict(asOf: number): Readonly<{ title: string; lede: string }> {
  return {
    title: 'This view has lost contact with Understudy.',
    lede: `Timers stopped; what you see is as of ${clock(asOf, true)}. It comes back by itself.`,
  };
}

/** The one sentence a view opens with, and the one under it. Every surface says the same. */
export function verdict(snapshot: Snapshot): Readonly<{ title: string; lede: string }> {
  const sessions = snapshot.sessions.filter((session) => session.isLive);
  const live = sessions.flatMap((session) => session.agents);
  const exhausted = live.filter((row) => row.status === 'exhausted');
  const away = live.filter(isAway);
  const first = exhausted[0];
  if (first) {
    return {
      title: `${first.agent} has no model left.`,
      lede: `All ${first.chain.length} models of its chain are out. Your session is safe; send the message again when one is back.`,
    };
  }
  if (away.length > 0) {
    const count =
      away.length === 1
        ? `${away[0]?.agent} is on an understudy`
        : `${capital(numberWord(away.length))} agents are on an understudy`;
    return { title: `${count}. Nothing has stopped.`, lede: sessions.flatMap(returnPhrases).join('; ').concat('.') };
  }
  return calmVerdict(snapshot, live.length);
}

function calmVerdict(snapshot: Snapshot, live: number): Readonly<{ title: string; lede: string }> {
  if (snapshot.connection.status === 'waiting') {
    return {
      title: 'Waiting for OpenCode.',
      lede: 'Start OpenCode with the companion plugin and it appears here by itself.',
    };
  }
  if (snapshot.connection.status === 'lost') {
    return { title: 'Not connected: OpenCode is not running.', lede: 'What you see is the last known state.' };
  }
  if (snapshot.connection.status === 'incompatible') {
    return {
      title: 'Plugin and app versions differ.',
      lede: 'Update both to the same version; until then this view only reads.',
    };
  }
  if (live > 0) return { title: 'All agents are on their primary.', lede: 'Nothing to do.' };
  const armed = snapshot.chains.filter((row) => row.chain.length > 1).length;
  return armed > 0
    ? { title: 'Ready.', lede: 'Chains are armed; nothing has run yet.' }
    : {
        title: 'Connected, but no chain is set.',
        lede: 'Without a chain nothing is protected. Add fallback models in model-fallback.json.',
      };
}

/** What each agent of a session that is away from its lead waits for; with the project where there are several. */
function returnPhrases(session: SessionRow, _: number, all: readonly SessionRow[]): string[] {
  const projects = new Set(all.filter((other) => other.agents.some(isAway)).map((other) => other.project));
  return session.agents.filter(isAway).map((row) => {
    const name = projects.size > 1 ? `${row.agent} in ${session.project}` : row.agent;
    return returnPhrase(row, name);
  });
}

const isAway = (row: AgentRow): boolean => row.position > 0 && row.status !== 'exhausted';

function returnPhrase(row: AgentRow, name: string): string {
  const lead = shortName(row.lead);
  if (!row.why) return `${name} speaks through ${shortName(row.active)}`;
  return row.why.until === null
    ? `${name} left ${shortName(row.why.from)}, which is ${kindPhrase(row.why.kind, row.why.status)}`
    : `${name} returns to ${lead} about ${clock(row.why.until)}`;
}

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const numberWord = (count: number): string => NUMBER_WORDS[count] ?? String(count);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

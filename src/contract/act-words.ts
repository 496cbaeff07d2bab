import { kindPhrase } from '../engine/kind-phrase';
import type { FailureKind } from '../engine/kinds';
import type { QueryInput } from './contract';
import type { AgentRow, ModelRow, QuestionRow, Snapshot } from './snapshot';
import { clock, counted, shortName } from './wording';

export type ResetTarget = QueryInput<'health.reset'>['target'];

/** Whether a reset would change anything of a model. */
export const isResettable = (row: ModelRow): boolean =>
  row.state !== 'ready' && row.state !== 'unseen' && row.isolatedBy.length === 0 && !isHeldByPerson(row);

const isHeldByPerson = ({ hold }: ModelRow): boolean => hold !== null && hold.by !== 'flapping';

/** The models that a reset is about, of those it would change. */
export function resettable(snapshot: Snapshot, target: ResetTarget): readonly ModelRow[] {
  return snapshot.models.filter((row) => isResettable(row) && isMeant(target, row));
}

function isMeant(target: ResetTarget, { model, provider }: ModelRow): boolean {
  if ('all' in target) return true;
  return 'model' in target ? target.model === model : target.provider === provider;
}

/** What a reset would do, one consequence a sentence. */
export function resetConsequences(snapshot: Snapshot, target: ResetTarget): readonly string[] {
  const rows = resettable(snapshot, target);
  const [only] = rows;
  if (!only) return ['Nothing is to be reset.'];
  const names = rows.map(({ name }) => name);
  const told = rows.filter((row) => row.state === 'cooling' && row.source === 'provider');
  return [
    rows.length === 1
      ? `${only.name} counts as ready; the next request may try it.`
      : `${listed(names)} count as ready; the next requests may try them.`,
    ...told.map((row) => `${row.provider} asked to leave ${row.name} alone${untilOf(row)}. A reset ignores that.`),
    ...rows.filter(({ state }) => state === 'blocked').map((row) => `${remedy(row)} Otherwise it fails again.`),
    ...returning(
      snapshot,
      rows.map(({ model }) => model),
    ),
  ];
}

const untilOf = ({ until }: ModelRow): string => (until === null ? '' : ` until ${clock(until)}`);

/** What keeping a model out of use would do. */
export function outConsequences(snapshot: Snapshot, model: string): readonly string[] {
  const speaking = liveAgents(snapshot).filter((row) => row.active === model);
  const last = chainsWithout(snapshot, model);
  return [
    speaking.length === 0
      ? `No live agent speaks through ${shortName(model)} now.`
      : `${listed(speaking.map(({ agent }) => agent))} ${speaking.length === 1 ? 'moves' : 'move'} on with the next request.`,
    ...(last.length > 0
      ? [`Nothing usable is left for ${listed(last)}: ${last.length === 1 ? 'its' : 'their'} work would stop.`]
      : []),
  ];
}

/** What keeping a model in use would do. */
export function inConsequences(snapshot: Snapshot, model: string): readonly string[] {
  const row = snapshot.models.find((candidate) => candidate.model === model);
  return [
    `${shortName(model)} counts as ready, whatever happens: each failure is met by its turn alone.`,
    ...(row?.state === 'cooling' && row.source === 'provider'
      ? [`${row.provider} asked to leave it alone${untilOf(row)}. A hold ignores that.`]
      : []),
    ...returning(snapshot, [model]),
  ];
}

const REMEDIES: Partial<Readonly<Record<FailureKind, (row: ModelRow) => string>>> = {
  auth: ({ provider }) => `Give ${provider} a working API key (opencode auth login), then reset it.`,
  permission: ({ name }) => `Ask for access to ${name} in your account, then reset it.`,
  model_not_found: ({ name }) => `Correct the name of ${name} in the chain, or take it out.`,
  quota: ({ provider }) => `Add credit to your account with ${provider}, then reset it.`,
  network_permanent: ({ provider }) => `Mend the certificate or proxy on the way to ${provider}, then reset it.`,
};

/** What a person has to do for a model that waits for them, as a sentence; for any other model that nothing is to be done. */
export function remedy(row: ModelRow): string {
  if (row.state !== 'blocked') return 'Nothing to do.';
  const kind = row.code?.startsWith('blocked.') ? (row.code.slice('blocked.'.length) as FailureKind) : null;
  const of = kind && Object.hasOwn(REMEDIES, kind) ? REMEDIES[kind] : undefined;
  return of ? of(row) : `Mend what ${row.provider} says, then reset it.`;
}

/** Why a model shows what it shows, as one sentence. */
export function stateReason(row: ModelRow, at: number): string {
  const because = row.lastFailure ? kindPhrase(row.lastFailure.kind, row.lastFailure.status) : null;
  switch (row.state) {
    case 'ready':
      return 'Answers. Nothing to do.';
    case 'unseen':
      return 'Nobody has asked it yet.';
    case 'degraded':
      return `Usable. ${counted(row.failures, 'failure')} of ${row.failureThreshold} that would open its breaker.`;
    case 'cooling':
      return `No request is sent: it is ${because ?? 'limited'}.`;
    case 'resting':
      return `Usable, but only when nothing better is ready${because ? `: it was ${because}` : ''}.`;
    case 'open':
      return `No request is sent: it failed too often${because ? `, the last time ${because}` : ''}. Then one probe may pass.`;
    case 'probing':
      return 'One request is under way; its outcome decides.';
    case 'blocked':
      return `${because ? `It is ${because}. ` : ''}${remedy(row)}`;
    case 'held':
      return heldReason(row, at);
  }
}

function heldReason({ isolatedBy, hold }: ModelRow, at: number): string {
  if (isolatedBy.length > 0) return 'Taken out of all chains until somebody lets it back.';
  if (!hold) return 'Held.';
  if (hold.by === 'flapping') return 'Kept failing and coming back, so it is held out for a while.';
  const end = hold.until === null || hold.until < at ? ' until you end it' : ` until ${clock(hold.until)}`;
  return hold.state === 'open' ? `Held out of use${end}.` : `Held in use${end}, whatever its breaker says.`;
}

/** What a pending question asks, and what its answers mean. */
export function questionPhrase({ agent, model, to, kind }: QuestionRow): Readonly<{ title: string; lede: string }> {
  const name = shortName(model);
  return {
    title: to === null ? `Ask ${name} once more for ${agent}?` : `May ${shortName(to)} answer for ${agent}?`,
    lede: `${name} is ${kindPhrase(kind, null)}. Without a yes ${agent} is left out of this session until you bring it back.`,
  };
}

const liveAgents = (snapshot: Snapshot): AgentRow[] =>
  snapshot.sessions.filter(({ isLive }) => isLive).flatMap(({ agents }) => agents);

/** Who goes home to one of these models. */
function returning(snapshot: Snapshot, models: readonly string[]): string[] {
  return liveAgents(snapshot)
    .filter((row) => row.position > 0 && models.includes(row.lead))
    .map((row) => `${row.agent} returns to ${shortName(row.lead)} with its next message.`);
}

const USABLE: readonly ModelRow['state'][] = ['ready', 'degraded', 'resting', 'unseen'];

/** Agents whose chain would have nobody left. */
function chainsWithout(snapshot: Snapshot, model: string): string[] {
  const bare = snapshot.chains.filter(
    ({ chain }) =>
      chain.some((member) => member.model === model) &&
      !chain.some((member) => member.model !== model && USABLE.includes(member.state)),
  );
  return [...new Set(bare.map(({ agent }) => (agent === '*' ? 'agents without a chain of their own' : agent)))];
}

/** "a", "a and b", "a, b and c". */
function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

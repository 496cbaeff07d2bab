import type { QueryInput } from '../contract/contract';
import type { RequestsSeen } from '../contract/requests-seen';
import type { AgentRow, ModelRow, QuestionRow, Snapshot } from '../contract/snapshot';
import { type FailureKind, isNamed, unbooked } from '../engine/names';
import { actTexts, modelTexts, wordTexts } from '../texts';
import { budgetPhrase, drainPhrase } from './headroom-words';
import { causeIn, isReadIn } from './model-rows';
import { clock, counted, kindPhrase, shortName } from './wording';

export type ResetTarget = QueryInput<'health.reset'>['target'];

/** True if a reset changes the model. */
export const isResettable = (row: ModelRow): boolean =>
  row.state !== 'ready' && row.state !== 'unseen' && row.isolatedBy.length === 0 && !isHeldByPerson(row);

const isHeldByPerson = ({ hold }: ModelRow): boolean => hold !== null && hold.by !== 'flapping';

/** The models of the target that a reset would change. */
export function resettable(snapshot: Snapshot, target: ResetTarget): readonly ModelRow[] {
  return snapshot.models.filter((row) => isResettable(row) && isMeant(target, row));
}

function isMeant(target: ResetTarget, { model, provider }: ModelRow): boolean {
  if ('all' in target) return true;
  return 'model' in target ? isNamed(model, target.model) : target.provider === provider;
}

export function resetConsequences(snapshot: Snapshot, target: ResetTarget): readonly string[] {
  const t = actTexts().reset;
  const rows = resettable(snapshot, target);
  const [only] = rows;
  if (!only) return [t.nothing];
  const names = rows.map(({ name }) => name);
  const limited = rows.filter((row) => row.state === 'cooling' && row.source === 'provider');
  return [
    rows.length === 1 ? t.one(only.name) : t.many(listed(names)),
    ...limited.map((row) => t.ignores(row.provider, row.name, untilOf(row))),
    ...rows.filter(({ state }) => state === 'blocked').map((row) => t.otherwise(remedy(row))),
    ...returning(
      snapshot,
      rows.map(({ model }) => model),
    ),
  ];
}

const untilOf = ({ until }: ModelRow): string => (until === null ? '' : clock(until));

export function outConsequences(snapshot: Snapshot, model: string): readonly string[] {
  const speaking = liveAgents(snapshot).filter((row) => row.active === unbooked(model));
  const names = [...new Set(speaking.map(({ agent }) => agent))];
  const last = [...new Set(chainsWithout(snapshot, model))];
  const t = actTexts().out;
  return [
    speaking.length === 0 ? t.nobody(shortName(model)) : t.moves(listed(names), names.length === 1),
    ...(last.length > 0 ? [t.stops(listed(last), last.length === 1)] : []),
  ];
}

/** The consequences of holding a model in use. */
export function inConsequences(snapshot: Snapshot, model: string): readonly string[] {
  const row = snapshot.models.find((candidate) => candidate.model === model);
  const t = actTexts().in;
  return [
    t.ready(shortName(model)),
    ...(row?.state === 'cooling' && row.source === 'provider' ? [t.ignores(row.provider, untilOf(row))] : []),
    ...returning(snapshot, [model]),
  ];
}

export const requestsPhrase = (by: RequestsSeen): string => modelTexts().requests[by];

const REMEDIES = ['auth', 'login', 'permission', 'model_not_found', 'quota', 'network_permanent'] as const;

/** The remedy for a model that needs the user; otherwise a sentence that there is nothing to do. */
export function remedy(row: ModelRow): string {
  const t = actTexts().remedies;
  if (row.state !== 'blocked') return t.none;
  const kind = REMEDIES.find((candidate) => row.code === `blocked.${candidate}`) ?? 'other';
  return t[kind](row.provider, row.name);
}

/** The remedy for a kind of failure; null if it has none. */
export function remedyFor(kind: FailureKind | null, provider: string, name: string): string | null {
  const named = REMEDIES.find((candidate) => candidate === kind);
  return named === undefined ? null : actTexts().remedies[named](provider, name);
}

/** The cause of a model's state; empty if the last failure is not the cause. */
export function causePhrase({ code, lastFailure }: Pick<ModelRow, 'code' | 'lastFailure'>): string {
  const { kind, status } = causeIn(code, lastFailure);
  return kind ? kindPhrase(kind, status) : '';
}

/** The reason for a model's state, as one sentence. */
export function stateReason(row: ModelRow, at: number): string {
  const t = actTexts().states;
  const phrase = causePhrase(row);
  switch (row.state) {
    case 'ready':
      return row.calls > 0 && row.failed >= row.calls
        ? t.unproven(row.calls, row.lastFailure ? kindPhrase(row.lastFailure.kind, row.lastFailure.status) : '')
        : t.ready;
    case 'degraded':
      return t.degraded(counted(row.failures, 'failure'), row.failureThreshold);
    case 'cooling':
    case 'resting':
    case 'open':
      return t[row.state](phrase);
    case 'blocked':
      return t.blocked(phrase, remedy(row));
    case 'held':
      return heldReason(row, at);
    default:
      return t[row.state];
  }
}

function heldReason(row: ModelRow, at: number): string {
  const { isolatedBy, hold } = row;
  const t = actTexts().states;
  if (isolatedBy.length > 0) return t.isolated;
  if (!hold) return t.held;
  if (hold.by === 'flapping') return t.flapping;
  const end = hold.until === null || hold.until < at ? '' : clock(hold.until);
  if (hold.state === 'closed') return t.heldIn(end);
  const isOutBeyond = end !== '' && (row.until === null || row.until > (hold.until ?? at));
  return isOutBeyond ? `${t.heldOut(end)} ${t.outBeyond}` : t.heldOut(end);
}

/** The question as a title, and the meaning of its answers. */
export function questionPhrase(question: QuestionRow): Readonly<{ title: string; lede: string }> {
  const { agent, model, to, kind, near, isOut = false } = question;
  const t = actTexts().question;
  if (near?.code === 'headroom.drain' && to !== null)
    return {
      title: t.other(shortName(to), agent),
      lede: t.drainLede(drainPhrase(to, near), shortName(to), shortName(model)),
    };
  if (near) return { title: t.spend(agent), lede: t.spentLede(budgetPhrase(near), shortName(model)) };
  const name = shortName(model);
  return {
    title: to === null ? t.again(name, agent) : t.other(shortName(to), agent),
    lede: t.lede(name, isOut ? t.out : kindPhrase(kind, null), agent),
  };
}

const liveAgents = (snapshot: Snapshot): AgentRow[] =>
  snapshot.sessions.filter(({ isLive }) => isLive).flatMap(({ agents }) => agents);

function returning(snapshot: Snapshot, models: readonly string[]): string[] {
  return liveAgents(snapshot)
    .filter((row) => row.position > 0 && models.includes(row.lead))
    .map((row) => actTexts().returns(row.agent, shortName(row.lead)));
}

const USABLE: readonly ModelRow['state'][] = ['ready', 'degraded', 'resting', 'unseen'];

/** The number of models that can get a request now. */
export const usableIn = (states: readonly ModelRow['state'][]): number =>
  states.filter((state) => USABLE.includes(state)).length;

/** Agents without a usable model if this one is taken out of use. */
function chainsWithout(snapshot: Snapshot, model: string): string[] {
  const bare = snapshot.chains.filter(
    ({ directory, chain }) =>
      chain.some((member) => isReadIn(snapshot.models, model, directory, member.model)) &&
      !chain.some((member) => member.model !== unbooked(model) && USABLE.includes(member.state)),
  );
  return [...new Set(bare.map(({ agent }) => (agent === '*' ? actTexts().out.others : agent)))];
}

const listed = (names: readonly string[]): string => wordTexts().listed(names);

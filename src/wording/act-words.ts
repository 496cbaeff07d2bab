import type { QueryInput } from '../contract/contract';
import type { RequestsSeen } from '../contract/requests-seen';
import type { AgentRow, ModelRow, QuestionRow, Snapshot } from '../contract/snapshot';
import { type FailureKind, isNamed, unbooked } from '../engine/names';
import { actTexts, modelTexts, wordTexts } from '../texts';
import { budgetPhrase, drainPhrase } from './headroom-words';
import { causeIn, isReadIn } from './model-rows';
import { clock, counted, kindPhrase, shortName } from './wording';

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
  return 'model' in target ? isNamed(model, target.model) : target.provider === provider;
}

export function resetConsequences(snapshot: Snapshot, target: ResetTarget): readonly string[] {
  const said = actTexts().reset;
  const rows = resettable(snapshot, target);
  const [only] = rows;
  if (!only) return [said.nothing];
  const names = rows.map(({ name }) => name);
  const told = rows.filter((row) => row.state === 'cooling' && row.source === 'provider');
  return [
    rows.length === 1 ? said.one(only.name) : said.many(listed(names)),
    ...told.map((row) => said.ignores(row.provider, row.name, untilOf(row))),
    ...rows.filter(({ state }) => state === 'blocked').map((row) => said.otherwise(remedy(row))),
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
  const said = actTexts().out;
  return [
    speaking.length === 0 ? said.nobody(shortName(model)) : said.moves(listed(names), names.length === 1),
    ...(last.length > 0 ? [said.stops(listed(last), last.length === 1)] : []),
  ];
}

/** What keeping a model in use would do. */
export function inConsequences(snapshot: Snapshot, model: string): readonly string[] {
  const row = snapshot.models.find((candidate) => candidate.model === model);
  const said = actTexts().in;
  return [
    said.ready(shortName(model)),
    ...(row?.state === 'cooling' && row.source === 'provider' ? [said.ignores(row.provider, untilOf(row))] : []),
    ...returning(snapshot, [model]),
  ];
}

export const requestsPhrase = (by: RequestsSeen): string => modelTexts().requests[by];

const REMEDIES = ['auth', 'login', 'permission', 'model_not_found', 'quota', 'network_permanent'] as const;

/** A sentence about the remedy for a model that waits for a person; for others, that there is nothing to do. */
export function remedy(row: ModelRow): string {
  const said = actTexts().remedies;
  if (row.state !== 'blocked') return said.none;
  const kind = REMEDIES.find((candidate) => row.code === `blocked.${candidate}`) ?? 'other';
  return said[kind](row.provider, row.name);
}

/** The same for a kind of failure; null where a person can do nothing that is named. */
export function remedyFor(kind: FailureKind | null, provider: string, name: string): string | null {
  const named = REMEDIES.find((candidate) => candidate === kind);
  return named === undefined ? null : actTexts().remedies[named](provider, name);
}

/** The cause of a model's state; empty where the last failure is not the cause. */
export function causePhrase({ code, lastFailure }: Pick<ModelRow, 'code' | 'lastFailure'>): string {
  const { kind, status } = causeIn(code, lastFailure);
  return kind ? kindPhrase(kind, status) : '';
}

/** Why a model shows what it shows, as one sentence. */
export function stateReason(row: ModelRow, at: number): string {
  const said = actTexts().states;
  const phrase = causePhrase(row);
  switch (row.state) {
    case 'ready':
      return row.calls > 0 && row.failed >= row.calls
        ? said.unproven(row.calls, row.lastFailure ? kindPhrase(row.lastFailure.kind, row.lastFailure.status) : '')
        : said.ready;
    case 'degraded':
      return said.degraded(counted(row.failures, 'failure'), row.failureThreshold);
    case 'cooling':
    case 'resting':
    case 'open':
      return said[row.state](phrase);
    case 'blocked':
      return said.blocked(phrase, remedy(row));
    case 'held':
      return heldReason(row, at);
    default:
      return said[row.state];
  }
}

function heldReason(row: ModelRow, at: number): string {
  const { isolatedBy, hold } = row;
  const said = actTexts().states;
  if (isolatedBy.length > 0) return said.isolated;
  if (!hold) return said.held;
  if (hold.by === 'flapping') return said.flapping;
  const end = hold.until === null || hold.until < at ? '' : clock(hold.until);
  if (hold.state === 'closed') return said.heldIn(end);
  const isOutBeyond = end !== '' && (row.until === null || row.until > (hold.until ?? at));
  return isOutBeyond ? `${said.heldOut(end)} ${said.outBeyond}` : said.heldOut(end);
}

/** What a pending question asks, and what its answers mean. */
export function questionPhrase(question: QuestionRow): Readonly<{ title: string; lede: string }> {
  const { agent, model, to, kind, near, isOut = false } = question;
  const said = actTexts().question;
  if (near?.code === 'headroom.drain' && to !== null)
    return {
      title: said.other(shortName(to), agent),
      lede: said.drainLede(drainPhrase(to, near), shortName(to), shortName(model)),
    };
  if (near) return { title: said.spend(agent), lede: said.spentLede(budgetPhrase(near), shortName(model)) };
  const name = shortName(model);
  return {
    title: to === null ? said.again(name, agent) : said.other(shortName(to), agent),
    lede: said.lede(name, isOut ? said.out : kindPhrase(kind, null), agent),
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

/** How many of these models could be asked now. */
export const usableIn = (states: readonly ModelRow['state'][]): number =>
  states.filter((state) => USABLE.includes(state)).length;

/** Agents whose chain would have nobody left. */
function chainsWithout(snapshot: Snapshot, model: string): string[] {
  const bare = snapshot.chains.filter(
    ({ directory, chain }) =>
      chain.some((member) => isReadIn(snapshot.models, model, directory, member.model)) &&
      !chain.some((member) => member.model !== unbooked(model) && USABLE.includes(member.state)),
  );
  return [...new Set(bare.map(({ agent }) => (agent === '*' ? actTexts().out.others : agent)))];
}

const listed = (names: readonly string[]): string => wordTexts().listed(names);

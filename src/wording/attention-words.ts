import type { AgentRecord } from '../contract/agent-record';
import type { Snapshot } from '../contract/snapshot';
import { councilName, councilQuestion, councilSpent } from '../features/council/wording/council-words';
import { attentionTexts, councilNewsTexts, wordTexts } from '../texts';
import { questionPhrase, remedy } from './act-words';
import { recordsOf } from './agent-record';
import { nameOf, reasonSentence, reasonText } from './agent-record-words';
import { type Attention, type AttentionKind, type AttentionOf, attentionOf, isOfBudget, type Way } from './attention';
import { budgetName, budgetSpent } from './budget-words';
import { type Protection, protectionOf } from './protection';
import { clock, shortName, when } from './wording';

/** The headline of a surface, and the sentence under it. */
export type Verdict = Readonly<{ title: string; lede: string }>;

/** The most names in a list; more are counted. */
const NAMED = 3;
/** A clock time is ambiguous beyond a day. */
const DAY_MS = 86_400_000;
/** Kinds that also appear in the headline behind a worse one. */
const GRAVE: readonly AttentionKind[] = ['question', 'waiting', 'stuck', 'exhausted', 'leftOut'];

/** The headline and its detail: the worst entry, or calm. */
export function verdict(snapshot: Snapshot, items = attentionOf(snapshot)): Verdict {
  const [first] = items;
  if (!first) return calmVerdict(snapshot);
  const kinds = [...new Set(items.map(({ kind }) => kind))].filter(
    (kind, index) => index === 0 || GRAVE.includes(kind),
  );
  const titles = kinds.slice(0, 2).map((kind, index) =>
    titleOf(
      items.filter((item) => item.kind === kind),
      snapshot,
      index > 0,
    ),
  );
  const areLeftOut = first.kind === 'leftOut' && items.filter(({ kind }) => kind === 'leftOut').length > 1;
  const lede = areLeftOut ? attentionTexts().leftOut.detail(false) : attentionDetail(first, snapshot);
  return { title: titles.join(' '), lede };
}

/** The first entry as one line for a status bar, with the number of others. */
export function attentionLine(snapshot: Snapshot): string {
  const [first, ...others] = attentionOf(snapshot);
  if (!first) return calmVerdict(snapshot).title;
  return `${attentionTitle(first, snapshot)}${others.length === 0 ? '' : ` +${others.length}`}`;
}

/**
 * The number of agents with a fallback model. Empty while fallback is paused, as none is protected then.
 */
export const protectedPhrase = (snapshot: Snapshot): string => countedBy(snapshot, attentionTexts().unprotected.many);

/** The same under a headline of a problem, where no agent is called protected. */
export const coveredPhrase = (snapshot: Snapshot): string =>
  // A disabled chain may have fallback models.
  snapshot.others.some(({ by }) => by === 'off') ? '' : countedBy(snapshot, attentionTexts().unprotected.covered);

function countedBy(snapshot: Snapshot, phrase: (count: number, of: number) => string): string {
  if (snapshot.pause !== null) return '';
  const protection = protectionOf(snapshot);
  return protection.of === 0 ? '' : phrase(protection.protected, protection.of);
}

export const attentionTitle = (item: Attention, snapshot: Snapshot): string => titleOf([item], snapshot);

/** All entries of one kind in one sentence. @param isBrief omits the reason, for a second sentence. */
function titleOf(items: readonly Attention[], snapshot: Snapshot, isBrief = false): string {
  const [item] = items;
  if (!item) return '';
  const name = namer(snapshot);
  const names = namesOf(items, name);
  const t = attentionTexts();
  const isOne = items.length === 1 || names.length === 1;
  switch (item.kind) {
    case 'apart':
      return t.apart[item.status].title;
    case 'question':
      return isOne ? t.question.one(names[0] ?? '') : t.question.many(listed(names));
    case 'waiting':
      return waitingTitle(item, listed(names), isOne);
    case 'silent':
      return isOne ? t.silent.one(names[0] ?? '', shortName(item.record.model)) : t.silent.many(listed(names));
    case 'stuck':
      return isOne ? stuckTitle(item, names[0] ?? '', isBrief) : t.stuck.waiting(listed(names));
    case 'exhausted':
      return downTitle(items, snapshot);
    case 'leftOut':
      return isOne ? t.leftOut.one(names[0] ?? '') : t.leftOut.many(listed(names));
    case 'councilQuestion':
      return `${councilNewsTexts().asks.title(councilName(item.council))}.`;
    case 'councilPaused':
      return `${councilNewsTexts()[pauseOf(item)].title(councilName(item.council))}.`;
    case 'failing':
      return t.failing.title(item.session.project);
    case 'unmoved':
      return t.unmoved.title(item.opencode);
    case 'spent':
      return t.spent.title(wordTexts().listed(budgetsIn(items, snapshot.at)));
    case 'paused':
      return t.paused.title(item.until === null ? '' : clock(item.until));
    case 'unprotected':
      return unprotectedTitle(item, snapshot.pause !== null);
    case 'unable':
    case 'lastLeft':
      return t[item.kind].title(listed(bareNames(item.agents)), bareNames(item.agents).length === 1);
    case 'needsYou':
      return isOne ? t.needsYou.one(item.provider) : t.needsYou.many(listed(names));
    case 'pinned':
      return t.pinned.title(item.pin.agent, shortName(item.pin.model));
    case 'away':
      return isOne
        ? t.away.one(names[0] ?? '', shortName(item.record.model), item.record.position, item.record.of)
        : t.away.many(listed(names));
  }
}

/** The sentence beside the title of an entry. @param hasEnd whether it contains the time at which the entry ends. */
export function attentionDetail(item: Attention, snapshot: Snapshot, hasEnd = true): string {
  const t = attentionTexts();
  switch (item.kind) {
    case 'apart':
      return t.apart[item.status].detail;
    case 'question':
      return questionPhrase(item.question).title;
    case 'waiting':
      return t.waiting.detail(clock(item.record.since));
    case 'silent':
      return t.silent.detail(clock(item.record.since, true));
    case 'stuck':
      return t.stuck.detail(reasonSentence(item.record), item.record.until !== null);
    case 'exhausted':
      return downDetail(item, snapshot.at, hasEnd);
    case 'leftOut':
      return t.leftOut.detail(true);
    case 'councilQuestion': {
      const { question } = item.council;
      return question === null ? '' : councilQuestion(question, hasEnd);
    }
    case 'councilPaused':
      return pauseOf(item) === 'capped'
        ? councilNewsTexts().capped.detail(councilSpent(item.council))
        : councilNewsTexts().allOff.detail;
    case 'failing':
      return t.failing.detail(item.session.requests?.failed ?? 0, item.session.requests?.asked ?? 0);
    case 'unmoved':
      return t.unmoved[item.moves];
    case 'spent':
      return t.spent.detail(
        budgetSpent(item.budget),
        t.spent.does[item.budget.action],
        item.budget.endsAt === null ? '' : when(item.budget.endsAt, snapshot.at),
      );
    case 'paused':
      return t.paused.detail;
    case 'unprotected':
      return unprotectedDetail(item, snapshot.pause !== null);
    case 'unable':
    case 'lastLeft':
      return t[item.kind].detail(item.until === null || !hasEnd ? '' : clock(item.until));
    case 'needsYou': {
      const [first, ...others] = item.models;
      return first ? t.needsYou.detail(remedy(first), others.length) : '';
    }
    case 'pinned':
      return t.pinned.detail(item.pin.until === null ? '' : when(item.pin.until, snapshot.at));
    case 'away':
      return awayDetail(item, snapshot, hasEnd);
  }
}

const budgetsIn = (items: readonly Attention[], now: number): string[] =>
  items.flatMap((item) => (item.kind === 'spent' ? [budgetName(item.budget, now)] : []));

const pauseOf = ({ council }: AttentionOf<'councilQuestion' | 'councilPaused'>): 'capped' | 'allOff' =>
  council.state === 'paused_for_user' ? 'capped' : 'allOff';

/** The time at which an entry ends; empty if the user has to act, or if its title contains the time. */
export function attentionEnd({ way }: Attention): string {
  if (way.kind !== 'ends') return '';
  return way.until === null ? attentionTexts().nextMessage : clock(way.until);
}

/** The label of its button, and its accessible name with the subject; null without a button. */
export function wayPhrase(item: Attention): Readonly<{ short: string; full: string }> | null {
  const t = attentionTexts();
  const { way } = item;
  if (way.kind === 'answer' || way.kind === 'ends' || way.kind === 'lasts') return null;
  const short = t.does[way.does];
  const about = aboutOf(item);
  return { short, full: about === '' ? short : t.doesOf(short, about) };
}

/** The confirmation after an immediate action. */
export const donePhrase = (item: Attention, { does }: Extract<Way, { kind: 'act' }>): string =>
  attentionTexts().done[does](aboutOf(item));

function aboutOf(item: Attention): string {
  if ('record' in item) return item.record.agent;
  if (item.kind === 'needsYou') return item.provider;
  if (item.kind === 'pinned') return item.pin.agent;
  if (item.kind === 'failing') return item.session.project;
  if ('council' in item) return councilName(item.council);
  const isForOne = item.way.kind === 'go' && item.way.does === 'add';
  return item.kind === 'unprotected' && isForOne ? (item.bare[0]?.agent ?? '') : '';
}

function waitingTitle({ record }: AttentionOf<'waiting'>, names: string, isOne: boolean): string {
  const t = attentionTexts();
  if (record.state === 'waitsForPermission') return isOne ? t.waiting.permission(names) : t.waiting.permissions(names);
  return isOne ? t.question.one(names) : t.question.many(names);
}

/** The end of a wait as a clock time; empty if it has none, or none within a day. */
const waitEnd = ({ until, since }: Pick<AgentRecord, 'until' | 'since'>): string =>
  until === null || until - since > DAY_MS ? '' : clock(until);

function stuckTitle({ record }: AttentionOf<'stuck'>, name: string, isBrief: boolean): string {
  const t = attentionTexts().stuck;
  const at = waitEnd(record);
  return record.action === 'addModel' && !isBrief ? t.alone(name, at) : t.held(name, at);
}

const isOut = ({ state }: AgentRecord): boolean => state === 'allModelsUnavailable';

/** Agents with a spent budget are named only if no other agent lacks a model. */
function downTitle(items: readonly Attention[], snapshot: Snapshot): string {
  const t = attentionTexts().exhausted;
  const others = items.filter((item) => !isOfBudget(item));
  const names = namesOf(others.length > 0 ? others : items, namer(snapshot));
  if (others.length === 0) return t.budget(listed(names));
  const [name = '', ...more] = names;
  const [first] = others;
  if (more.length > 0) return t.many(listed(names));
  return first && 'record' in first && isOut(first.record) ? t.one(name) : t.stopped(name);
}

function downDetail({ record, row }: AttentionOf<'exhausted'>, at: number, hasEnd: boolean): string {
  const t = attentionTexts().exhausted;
  const { state, until, model, of } = record;
  if (state === 'budgetSpent') return t.halted(reasonText(record), until === null ? '' : when(until, at));
  return isOut(record)
    ? t.out(
        of,
        until === null || !hasEnd ? '' : when(until, at),
        row.status === 'exhausted',
        record.action === 'fixModel' && until === null,
      )
    : t.again(shortName(model));
}

/** @param isPaused no agent is protected then, so the count is omitted. */
function unprotectedTitle({ protection, bare: agents }: AttentionOf<'unprotected'>, isPaused: boolean): string {
  const t = attentionTexts().unprotected;
  const bare = bareNames(agents);
  const [only = ''] = bare;
  if (bare.length === 1) return agents.every(({ cover }) => cover === 'off') ? t.offFor(only) : t.one(only);
  return isPaused ? t.several(listed(bare)) : t.many(protection.protected, protection.of);
}

function unprotectedDetail({ bare: agents }: AttentionOf<'unprotected'>, isPaused: boolean): string {
  const t = attentionTexts().unprotected;
  if (agents.every(({ cover }) => cover === 'off')) return t.off;
  const bare = bareNames(agents);
  // While fallback is paused, the title has the names.
  return isPaused && bare.length > 1 ? '' : t.detail(listed(bare), bare.length === 1);
}

const bareNames = (agents: Protection['agents']): readonly string[] => [...new Set(agents.map(({ agent }) => agent))];

function awayDetail({ record }: AttentionOf<'away'>, { at }: Snapshot, hasEnd: boolean): string {
  const t = attentionTexts().away;
  const { reason, until, model } = record;
  if (reason?.code === 'pinned') return t.pinned(shortName(model), until === null ? '' : when(until, at));
  const end = until === null || !hasEnd ? '' : `, ${t.back(when(until, at))}`;
  return `${reasonSentence(record)}${end}.`;
}

function calmVerdict(snapshot: Snapshot): Verdict {
  const t = attentionTexts().calm;
  if (snapshot.connection.status !== 'connected') return t.waiting;
  const { agents, of } = protectionOf(snapshot);
  const [only] = agents;
  if (only) {
    const elsewhere = bareNames(agents.filter(({ isPrimaryOut }) => isPrimaryOut));
    const isHome = elsewhere.length === 0;
    const title = of === 1 ? t.one(only.agent, isHome) : t.many(of, isHome);
    return { title, lede: isHome ? t.nothing : t.elsewhere(listed(elsewhere)) };
  }
  return snapshot.chains.some((row) => row.chain.length > 1) ? t.ready : t.noChain;
}

type Namer = (record: AgentRecord) => string;

/** Names agents of live sessions so that each name belongs to one of them. */
function namer(snapshot: Snapshot): Namer {
  const all = recordsOf(snapshot);
  const isSame = (one: AgentRecord, other: AgentRecord): boolean =>
    one.agent === other.agent && one.state === other.state && one.model === other.model;
  return (record) =>
    nameOf(
      record,
      all.filter((other) => other.key === record.key || other.directory !== record.directory || !isSame(record, other)),
      attentionTexts().inProject,
    );
}

/** The agents or providers of entries, each once. */
const namesOf = (items: readonly Attention[], name: Namer): readonly string[] => [
  ...new Set(
    items.flatMap((item) => {
      if (item.kind === 'question') return [item.question.agent];
      if (item.kind === 'needsYou') return [item.provider];
      return 'record' in item ? [name(item.record)] : [];
    }),
  ),
];

const listed = (names: readonly string[]): string =>
  names.length <= NAMED ? wordTexts().listed(names) : attentionTexts().agents(names.length);

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

/** What a surface opens with: one sentence, and what there is to say of it. */
export type Verdict = Readonly<{ title: string; lede: string }>;

/** Names that are said one by one; more are counted. */
const NAMED = 3;
/** A clock time says nothing of another day. */
const DAY_MS = 86_400_000;
/** So bad that it stands in the headline beside what is worse. */
const GRAVE: readonly AttentionKind[] = ['question', 'waiting', 'stuck', 'exhausted', 'leftOut'];

/** The one sentence a surface opens with, and the one under it: of all there is to see to, the worst. */
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

/** What there is to see to first, as one line for a bar that has no room for more, and how much more there is. */
export function attentionLine(snapshot: Snapshot): string {
  const [first, ...others] = attentionOf(snapshot);
  if (!first) return calmVerdict(snapshot).title;
  return `${attentionTitle(first, snapshot)}${others.length === 0 ? '' : ` +${others.length}`}`;
}

/**
 * How many agents would go on if their primary failed. Empty where that is nobody's to say: while fallback is paused none
 * would.
 */
export const protectedPhrase = (snapshot: Snapshot): string => countedBy(snapshot, attentionTexts().unprotected.many);

/** The same under a headline of what is wrong now, where nobody is called protected: who has another model at all. */
export const coveredPhrase = (snapshot: Snapshot): string =>
  // A chain that is switched off may have fallback models.
  snapshot.others.some(({ by }) => by === 'off') ? '' : countedBy(snapshot, attentionTexts().unprotected.covered);

function countedBy(snapshot: Snapshot, phrase: (count: number, of: number) => string): string {
  if (snapshot.pause !== null) return '';
  const protection = protectionOf(snapshot);
  return protection.of === 0 ? '' : phrase(protection.protected, protection.of);
}

export const attentionTitle = (item: Attention, snapshot: Snapshot): string => titleOf([item], snapshot);

/** All entries of one kind in one sentence. @param isBrief behind another one: why is left to the entry. */
function titleOf(items: readonly Attention[], snapshot: Snapshot, isBrief = false): string {
  const [item] = items;
  if (!item) return '';
  const name = namer(snapshot);
  const names = namesOf(items, name);
  const said = attentionTexts();
  const isOne = items.length === 1 || names.length === 1;
  switch (item.kind) {
    case 'apart':
      return said.apart[item.status].title;
    case 'question':
      return isOne ? said.question.one(names[0] ?? '') : said.question.many(listed(names));
    case 'waiting':
      return waitingTitle(item, listed(names), isOne);
    case 'silent':
      return isOne ? said.silent.one(names[0] ?? '', shortName(item.record.model)) : said.silent.many(listed(names));
    case 'stuck':
      return isOne ? stuckTitle(item, names[0] ?? '', isBrief) : said.stuck.waiting(listed(names));
    case 'exhausted':
      return downTitle(items, snapshot);
    case 'leftOut':
      return isOne ? said.leftOut.one(names[0] ?? '') : said.leftOut.many(listed(names));
    case 'councilQuestion':
      return `${councilNewsTexts().asks.title(councilName(item.council))}.`;
    case 'councilPaused':
      return `${councilNewsTexts()[pauseOf(item)].title(councilName(item.council))}.`;
    case 'failing':
      return said.failing.title(item.session.project);
    case 'unmoved':
      return said.unmoved.title(item.opencode);
    case 'spent':
      return said.spent.title(wordTexts().listed(budgetsIn(items, snapshot.at)));
    case 'paused':
      return said.paused.title(item.until === null ? '' : clock(item.until));
    case 'unprotected':
      return unprotectedTitle(item, snapshot.pause !== null);
    case 'unable':
    case 'lastLeft':
      return said[item.kind].title(listed(bareNames(item.agents)), bareNames(item.agents).length === 1);
    case 'needsYou':
      return isOne ? said.needsYou.one(item.provider) : said.needsYou.many(listed(names));
    case 'pinned':
      return said.pinned.title(item.pin.agent, shortName(item.pin.model));
    case 'away':
      return isOne
        ? said.away.one(names[0] ?? '', shortName(item.record.model), item.record.position, item.record.of)
        : said.away.many(listed(names));
  }
}

/** What there is to say of an entry beside its title. @param isEndSaid whether it says when the entry ends by itself. */
export function attentionDetail(item: Attention, snapshot: Snapshot, isEndSaid = true): string {
  const said = attentionTexts();
  switch (item.kind) {
    case 'apart':
      return said.apart[item.status].detail;
    case 'question':
      return questionPhrase(item.question).title;
    case 'waiting':
      return said.waiting.detail(clock(item.record.since));
    case 'silent':
      return said.silent.detail(clock(item.record.since, true));
    case 'stuck':
      return said.stuck.detail(reasonSentence(item.record), item.record.until !== null);
    case 'exhausted':
      return downDetail(item, snapshot.at, isEndSaid);
    case 'leftOut':
      return said.leftOut.detail(true);
    case 'councilQuestion': {
      const { question } = item.council;
      return question === null ? '' : councilQuestion(question, isEndSaid);
    }
    case 'councilPaused':
      return pauseOf(item) === 'capped'
        ? councilNewsTexts().capped.detail(councilSpent(item.council))
        : councilNewsTexts().allOff.detail;
    case 'failing':
      return said.failing.detail(item.session.requests?.failed ?? 0, item.session.requests?.asked ?? 0);
    case 'unmoved':
      return said.unmoved[item.moves];
    case 'spent':
      return said.spent.detail(
        budgetSpent(item.budget),
        said.spent.does[item.budget.action],
        item.budget.endsAt === null ? '' : when(item.budget.endsAt, snapshot.at),
      );
    case 'paused':
      return said.paused.detail;
    case 'unprotected':
      return unprotectedDetail(item, snapshot.pause !== null);
    case 'unable':
    case 'lastLeft':
      return said[item.kind].detail(item.until === null || !isEndSaid ? '' : clock(item.until));
    case 'needsYou': {
      const [first, ...others] = item.models;
      return first ? said.needsYou.detail(remedy(first), others.length) : '';
    }
    case 'pinned':
      return said.pinned.detail(item.pin.until === null ? '' : when(item.pin.until, snapshot.at));
    case 'away':
      return awayDetail(item, snapshot, isEndSaid);
  }
}

const budgetsIn = (items: readonly Attention[], now: number): string[] =>
  items.flatMap((item) => (item.kind === 'spent' ? [budgetName(item.budget, now)] : []));

const pauseOf = ({ council }: AttentionOf<'councilQuestion' | 'councilPaused'>): 'capped' | 'allOff' =>
  council.state === 'paused_for_user' ? 'capped' : 'allOff';

/** When an entry ends by itself, as people are told it; empty where it does not, or its title says it. */
export function attentionEnd({ way }: Attention): string {
  if (way.kind !== 'ends') return '';
  return way.until === null ? attentionTexts().nextMessage : clock(way.until);
}

/** What its button says, and the same with what it is about, for whoever hears it alone; null where there is none. */
export function wayPhrase(item: Attention): Readonly<{ short: string; full: string }> | null {
  const said = attentionTexts();
  const { way } = item;
  if (way.kind === 'answer' || way.kind === 'ends' || way.kind === 'lasts') return null;
  const short = said.does[way.does];
  const about = aboutOf(item);
  return { short, full: about === '' ? short : said.doesOf(short, about) };
}

/** What was done, once it was: for a button that acts at once. */
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

/** Agents whose budget is spent are named where no other one is without a model. */
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

function downDetail({ record, row }: AttentionOf<'exhausted'>, at: number, isEndSaid: boolean): string {
  const t = attentionTexts().exhausted;
  const { state, until, model, of } = record;
  if (state === 'budgetSpent') return t.halted(reasonText(record), until === null ? '' : when(until, at));
  return isOut(record)
    ? t.out(
        of,
        until === null || !isEndSaid ? '' : when(until, at),
        row.status === 'exhausted',
        record.action === 'fixModel' && until === null,
      )
    : t.again(shortName(model));
}

/** @param isPaused nobody is protected then, and how many would be otherwise says nothing. */
function unprotectedTitle({ protection, bare: agents }: AttentionOf<'unprotected'>, isPaused: boolean): string {
  const said = attentionTexts().unprotected;
  const bare = bareNames(agents);
  const [only = ''] = bare;
  if (bare.length === 1) return agents.every(({ cover }) => cover === 'off') ? said.offFor(only) : said.one(only);
  return isPaused ? said.several(listed(bare)) : said.many(protection.protected, protection.of);
}

function unprotectedDetail({ bare: agents }: AttentionOf<'unprotected'>, isPaused: boolean): string {
  const said = attentionTexts().unprotected;
  if (agents.every(({ cover }) => cover === 'off')) return said.off;
  const bare = bareNames(agents);
  // While it is paused, the title has the names.
  return isPaused && bare.length > 1 ? '' : said.detail(listed(bare), bare.length === 1);
}

const bareNames = (agents: Protection['agents']): readonly string[] => [...new Set(agents.map(({ agent }) => agent))];

function awayDetail({ record }: AttentionOf<'away'>, { at }: Snapshot, isEndSaid: boolean): string {
  const t = attentionTexts().away;
  const { reason, until, model } = record;
  if (reason?.code === 'pinned') return t.pinned(shortName(model), until === null ? '' : when(until, at));
  const end = until === null || !isEndSaid ? '' : `, ${t.back(when(until, at))}`;
  return `${reasonSentence(record)}${end}.`;
}

function calmVerdict(snapshot: Snapshot): Verdict {
  const said = attentionTexts().calm;
  if (snapshot.connection.status !== 'connected') return said.waiting;
  const { agents, of } = protectionOf(snapshot);
  const [only] = agents;
  if (only) {
    const elsewhere = bareNames(agents.filter(({ isPrimaryOut }) => isPrimaryOut));
    const isHome = elsewhere.length === 0;
    const title = of === 1 ? said.one(only.agent, isHome) : said.many(of, isHome);
    return { title, lede: isHome ? said.nothing : said.elsewhere(listed(elsewhere)) };
  }
  return snapshot.chains.some((row) => row.chain.length > 1) ? said.ready : said.noChain;
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

/** Whom, or which providers, entries are about, each once. */
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

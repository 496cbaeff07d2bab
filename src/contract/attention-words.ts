import { attentionTexts, councilNewsTexts, wordTexts } from '../texts';
import { questionPhrase, remedy } from './act-words';
import { type Attention, type AttentionKind, type AttentionOf, attentionOf, liveRows, type Way } from './attention';
import { councilName, councilQuestion, councilSpent } from './council-words';
import { budgetPhrase, whyPhrase } from './headroom-words';
import { rowIn } from './model-rows';
import { type Protection, protectionOf } from './protection';
import type { AgentRow, Snapshot } from './snapshot';
import { firstUsable, isOut } from './standing';
import { waitPhrase } from './standing-words';
import { clock, knownFrom, shortName, when } from './wording';

/** What a surface opens with: one sentence, and what there is to say of it. */
export type Verdict = Readonly<{ title: string; lede: string }>;

/** Names that are said one by one; more are counted. */
const NAMED = 3;
/** A clock time says nothing of another day. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** So bad that it stands in the headline beside what is worse. */
const GRAVE: readonly AttentionKind[] = ['question', 'stuck', 'exhausted', 'leftOut'];

/** The one sentence a surface opens with, and the one under it: of all there is to see to, the worst. */
export function verdict(snapshot: Snapshot): Verdict {
  const items = attentionOf(snapshot);
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
export const coveredPhrase = (snapshot: Snapshot): string => countedBy(snapshot, attentionTexts().unprotected.covered);

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
    case 'stuck':
      if (isOne) return stuckTitle(item, name(item.row.agent, item.directory), isBrief);
      return items.every((one) => one.kind === 'stuck' && one.row.waits?.by === 'hold')
        ? said.stuck.waiting(listed(names))
        : said.stuck.many(listed(names));
    case 'exhausted':
      return isOne ? downTitle(item, name(item.row.agent, item.directory)) : said.exhausted.many(listed(names));
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
    case 'paused':
      return said.paused.title(item.until === null ? '' : clock(item.until));
    case 'unprotected':
      return unprotectedTitle(item, snapshot.pause !== null);
    case 'unable':
    case 'lastLeft':
      return said[item.kind].title(listed(bareNames(item.agents)), bareNames(item.agents).length === 1);
    case 'needsYou':
      return isOne ? said.needsYou.one(item.provider) : said.needsYou.many(listed(names));
    case 'away':
      return isOne
        ? said.away.one(names[0] ?? '', shortName(item.row.active), item.row.position + 1, item.row.chain.length)
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
    case 'stuck':
      return waitPhrase(item.row);
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
    case 'away':
      return awayDetail(item, snapshot, isEndSaid);
  }
}

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
  if (way.kind === 'answer' || way.kind === 'ends') return null;
  const short = said.does[way.does];
  const about = aboutOf(item);
  return { short, full: about === '' ? short : said.doesOf(short, about) };
}

/** What was done, once it was: for a button that acts at once. */
export const donePhrase = ({ does }: Extract<Way, { kind: 'act' }>): string => attentionTexts().done[does];

function aboutOf(item: Attention): string {
  if ('row' in item) return item.row.agent;
  if (item.kind === 'needsYou') return item.provider;
  if (item.kind === 'failing') return item.session.project;
  if ('council' in item) return councilName(item.council);
  const isForOne = item.way.kind === 'go' && item.way.does === 'add';
  return item.kind === 'unprotected' && isForOne ? (item.bare[0]?.agent ?? '') : '';
}

/** When a wait ends, as a clock time; empty where nobody knows, or where that is no time of this day. */
export const waitEnd = (waits: AgentRow['waits']): string =>
  waits?.until == null || waits.until - waits.since > DAY_MS ? '' : clock(waits.until);

function stuckTitle({ row }: AttentionOf<'stuck'>, name: string, isBrief: boolean): string {
  const said = attentionTexts().stuck;
  const at = waitEnd(row.waits);
  if (row.waits?.by === 'hold') return said.held(name, at);
  return row.isAlone && !isBrief ? said.alone(name, at) : said.passedOn(name, at);
}

function downTitle({ row }: AttentionOf<'exhausted'>, name: string): string {
  const said = attentionTexts().exhausted;
  return firstUsable(row.chain) === null && !row.halted ? said.one(name) : said.stopped(name);
}

function downDetail({ row, until }: AttentionOf<'exhausted'>, at: number, isEndSaid: boolean): string {
  const said = attentionTexts().exhausted;
  const { halted } = row;
  const usable = firstUsable(row.chain);
  if (halted) return said.halted(budgetPhrase(halted.near), halted.until === null ? '' : when(halted.until, at));
  return usable === null
    ? said.out(row.chain.length, until === null || !isEndSaid ? '' : clock(until), row.status === 'exhausted')
    : said.again(shortName(usable));
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

function awayDetail(
  { row, isPinned, directory }: AttentionOf<'away'>,
  { pins, models, at }: Snapshot,
  isEndSaid: boolean,
): string {
  const said = attentionTexts().away;
  const { why, chain, lead, active } = row;
  if (isPinned) {
    const pin = pins.find((known) => known.directory === directory && known.agent === row.agent);
    return said.pinned(shortName(active), pin?.until == null ? '' : clock(pin.until));
  }
  if (why?.until == null && chain[0]?.state === 'ready') return `${said.ready(shortName(lead))}.`;
  if (!why) return '';
  const failed = foundPhrase(why, rowIn(models, directory, why.from)?.machine);
  // It takes requests again before it is first choice: both times are on the page, and would contradict each other.
  const ready = rowIn(models, directory, lead)?.until ?? null;
  const isEarlier = ready !== null && why.until !== null && why.until - ready > MINUTE_MS;
  const end =
    why.until !== null && (isEndSaid || isEarlier)
      ? `, ${said.back(when(why.until, at), isEarlier ? when(ready, at) : '')}`
      : '';
  return `${failed}${end}.`;
}

/** Why it left its primary, and which other machine of the fleet has found that out, where one has. */
function foundPhrase(why: NonNullable<AgentRow['why']>, machine: string | undefined): string {
  const said = whyPhrase(why);
  return machine === undefined || why.near ? said : `${said}, ${knownFrom(machine)}`;
}

function calmVerdict(snapshot: Snapshot): Verdict {
  const said = attentionTexts().calm;
  if (snapshot.connection.status !== 'connected') return said.waiting;
  const { agents, of } = protectionOf(snapshot);
  const [only] = agents;
  if (only) {
    const elsewhere = bareNames(agents.filter(({ chain }) => chain[0] !== undefined && isOut(chain[0])));
    const isHome = elsewhere.length === 0;
    const title = of === 1 ? said.one(only.agent, isHome) : said.many(of, isHome);
    return { title, lede: isHome ? said.nothing : said.elsewhere(listed(elsewhere)) };
  }
  return snapshot.chains.some((row) => row.chain.length > 1) ? said.ready : said.noChain;
}

type Namer = (agent: string, directory: string) => string;

/** How agents are called: with their project where live ones have several. */
function namer(snapshot: Snapshot): Namer {
  const projects = new Map(liveRows(snapshot).map(({ directory, project }) => [directory, project]));
  return (agent, directory) => {
    const project = projects.get(directory);
    return projects.size > 1 && project !== undefined ? attentionTexts().inProject(agent, project) : agent;
  };
}

/** Whom, or which providers, entries are about, each once. */
const namesOf = (items: readonly Attention[], name: Namer): readonly string[] => [
  ...new Set(
    items.flatMap((item) => {
      if (item.kind === 'question') return [item.question.agent];
      if (item.kind === 'needsYou') return [item.provider];
      return 'row' in item ? [name(item.row.agent, item.directory)] : [];
    }),
  ),
];

const listed = (names: readonly string[]): string =>
  names.length <= NAMED ? wordTexts().listed(names) : attentionTexts().agents(names.length);

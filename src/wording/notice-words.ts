import { STAY_MS } from '../contract/acts';
import type { QueryInput } from '../contract/contract';
import type { NoticeRow } from '../contract/notices';
import { hrefOf, INBOX_VIEW } from '../contract/shell';
import type { AgentRow, ModelRow, SessionRow, Snapshot } from '../contract/snapshot';
import { accountIn, unaccounted } from '../engine/names';
import { councilFound, councilName, councilQuestion, councilSpent } from '../features/council/wording/council-words';
import { councilNewsTexts, noticeTexts, nowTexts } from '../texts';
import { remedyFor } from './act-words';
import { chainKey, chainOf, priceRatio } from './chain-words';
import { accountPhrase, budgetPhrase, drainPhrase, nearPhrase, partPhrase, windowPhrase } from './headroom-words';
import { costPhrase } from './usage-words';
import { clock, counted, elapsed, failurePhrase, kindPhrase, shortName, when } from './wording';

/** What can be asked of the core straight from a notice. */
export type NoticeQuestion =
  | Readonly<{ name: 'health.reset'; input: QueryInput<'health.reset'> }>
  | Readonly<{ name: 'person.act'; input: QueryInput<'person.act'> }>
  | Readonly<{ name: 'council.say'; input: QueryInput<'council.say'> }>;

/** What can be done about a notice at once: open a view of the panel at its address, or ask the core for something. */
export type NoticeAct = Readonly<{ label: string }> & (Readonly<{ view: string }> | Readonly<{ ask: NoticeQuestion }>);

const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));
const nameOf = (model: string | null): string => (model === null ? '' : shortName(model));
const timeOf = (at: number | null): string => (at === null ? '' : clock(at));
const agentOf = ({ agents }: NoticeRow): string => agents[0] ?? '';

/** The line a notice begins with. */
export function noticeTitle(row: NoticeRow): string {
  const said = noticeTexts();
  const { agents, figures, model, to } = row;
  switch (row.notice) {
    case 'N1':
      return said.fell.title(agentOf(row), nameOf(to));
    case 'N2':
      return said.fellTogether.title(counted(agents.length, 'agent'));
    case 'N3':
      return isOnlyStopped(row) ? said.exhausted.stopped(agentOf(row)) : said.exhausted.title(agentOf(row));
    case 'N4':
      return said.recovered.title(agentOf(row));
    case 'N5':
      return said.home.title(agentOf(row), nameOf(model));
    case 'N6':
      return said.attention.title(model === null ? '' : providerOf(model));
    case 'N7':
      return said.unstable.title(nameOf(model));
    case 'N8':
      return said.lost.title;
    case 'N9':
      return said.versions.title;
    case 'N10':
      return said.session.title(sessionFigures(row));
    case 'N11':
      return said.costlier.title(agentOf(row));
    case 'N12':
      return said.changed.title;
    case 'N13':
      return said.update.title(row.version ?? '');
    case 'N14':
      return said.passed[row.near?.isEstimate ? 'estimate' : 'title'](planOf(row), partPhrase(row.near?.used ?? 0));
    case 'N15':
      return said.fell.title(agentOf(row), nameOf(to));
    case 'N16':
      return spentTitle(row);
    case 'N17':
      return said.failing.title(agentOf(row));
    case 'N18':
      return said.many.title;
    case 'N19':
      return said.retries.title(agentOf(row), figures.count ?? 0, figures.of ?? 0);
    case 'N20':
      return said.stuck.title(agentOf(row), timeOf(row.until));
    case 'N21':
      return said.asks.title(agentOf(row));
    case 'N22':
      return councilNewsTexts().asks.title(councilOf(row));
    case 'N23':
      return councilNewsTexts()[row.council?.pause === 'cap' ? 'capped' : 'allOff'].title(councilOf(row));
    case 'N24':
      return councilNewsTexts().finished.title(councilOf(row));
    case 'digest':
      return said.digest.title(said.counts.notice(figures.count ?? 0));
  }
}

const councilOf = ({ project }: NoticeRow): string => councilName({ repo: project });

/** "41 turns, 3 fallbacks, $1.84". */
function sessionFigures({ figures: { turns = 0, fallbacks = 0, cost } }: NoticeRow): string {
  const money = cost === undefined ? '' : costPhrase({ cost, pricedShare: 1 });
  return [counted(turns, 'turn'), noticeTexts().counts.fallback(fallbacks), money].filter(Boolean).join(', ');
}

/** What a notice says below its title; empty where the title says it all. */
export function noticeBody(row: NoticeRow): string {
  const said = noticeTexts();
  const { agents, figures, model, to, until } = row;
  switch (row.notice) {
    case 'N1':
      return said.fell.body(whyOf(row), timeOf(until));
    case 'N2':
      return said.fellTogether.body(sharedWhyOf(row), agents.join(', '));
    case 'N3':
      return exhaustedBody(row);
    case 'N4':
      return said.recovered.body(nameOf(model));
    case 'N5':
      return said.home.body(elapsed(figures.lastedMs ?? 0), counted(figures.turns ?? 0, 'turn'));
    case 'N6':
      return attentionBody(row);
    case 'N7':
      return said.unstable.body(timeOf(until));
    case 'N8':
      return said.lost.body;
    case 'N9':
      return said.versions.body;
    case 'N10':
      return row.project ?? '';
    case 'N11':
      return said.costlier.body(nameOf(to), String(figures.times ?? 0), nameOf(model));
    case 'N12':
      return said.changed.body;
    case 'N13':
      return said.update.body;
    case 'N14':
      return passedBody(row);
    case 'N15':
      return said.fell.body(nearOf(row), whenOf(row));
    case 'N16':
      return spentBody(row);
    case 'N17':
      return said.failing.body;
    case 'N18':
      return said.many.body(figures.count ?? 0);
    case 'N19':
      return (figures.count ?? 0) < (figures.of ?? 0) ? said.retries.warned : said.retries.spent;
    case 'N20':
      return said.stuck.body(whyOf(row));
    case 'N21':
      if (row.near?.unit === 'dollars') return said.asks.spend(budgetPhrase(row.near));
      if (row.near?.code === 'headroom.drain' && to !== null)
        return said.asks.drain(drainPhrase(to, row.near), nameOf(to));
      return to === null ? said.asks.again(nameOf(model)) : said.asks.other(nameOf(to));
    case 'N22':
      return askedBody(row);
    case 'N23':
      return pausedBody(row);
    case 'N24':
      return councilNewsTexts().finished.body(foundIn(row));
    case 'digest':
      return said.digest.body;
  }
}

/** Of an agent that sends nothing more, or of the budget alone. */
function spentTitle(row: NoticeRow): string {
  const said = noticeTexts().budget;
  if (row.agents.length > 0) return said.stopped(agentOf(row));
  return (row.near?.used ?? 0) < 1 ? said.near : said.spent;
}

function spentBody({ near, until, at }: NoticeRow): string {
  return near ? noticeTexts().budget.body(budgetPhrase(near), until === null ? '' : when(until, at)) : '';
}

/** "anthropic, week limit, opus": which plan it is about. */
function planOf({ model, near }: NoticeRow): string {
  if (model === null || !near || near.unit === 'dollars') return '';
  const account = providerOf(model);
  const name = accountPhrase({ provider: unaccounted(account), label: accountIn(account), isApart: false });
  return `${name}, ${windowPhrase({ ...near, unit: near.unit, model: null, family: near.of === undefined ? null : shortName(near.of) })}`;
}

const nearOf = ({ model, near }: NoticeRow): string =>
  model !== null && near ? nearPhrase(model, near) : nameOf(model);

/** When it is over, as a time that may be days away. */
const whenOf = ({ until, at }: NoticeRow): string => (until === null ? '' : when(until, at));

function passedBody(row: NoticeRow): string {
  const { passed } = noticeTexts();
  const { fullAt } = row.figures;
  return passed.body(fullAt === undefined ? '' : when(fullAt, row.at), whenOf(row));
}

function askedBody({ council, model, to, until }: NoticeRow): string {
  const question = council?.question;
  if (!question || model === null || to === null || until === null) return '';
  const { speaker, failure } = question;
  return councilQuestion({ speaker, failure, model, fallback: to, skipAt: until });
}

function pausedBody({ council, figures: { cost = 0, cap } }: NoticeRow): string {
  const said = councilNewsTexts();
  const spent = councilSpent({ spent: cost, cap: cap ?? null });
  return council?.pause === 'cap' ? said.capped.detail(spent) : said.allOff.detail;
}

function foundIn({ figures: { count = 0, critical = 0, ideas, participants } }: NoticeRow): string {
  const findings = { critical, major: count - critical, minor: 0, praise: 0 };
  return councilFound({
    findings,
    ideas: ideas ?? 0,
    activity: ideas === undefined ? 'code_review' : 'brainstorm',
    ...(participants === 0 ? { isEmpty: true } : {}),
  });
}

function attentionBody(row: NoticeRow): string {
  const remedy = row.model === null ? null : remedyFor(row.kind, providerOf(row.model), nameOf(row.model));
  return remedy === null ? noticeTexts().attention.body(whyOf(row)) : `${whyOf(row)}. ${remedy}`;
}

/** "claude-sonnet is rate limited (429)"; the name alone where nobody knows why. */
const whyOf = ({ model, kind, status }: NoticeRow): string =>
  model !== null && kind !== null ? failurePhrase(model, kind, status) : nameOf(model);

/** Why all of them left, where they left for one reason. */
const sharedWhyOf = ({ model, kind }: NoticeRow): string =>
  model !== null && kind !== null ? noticeTexts().fellTogether.why(providerOf(model), kindPhrase(kind, null)) : '';

/** A model takes the next message: a limit ended this one, or each model failed in it. */
const isOnlyStopped = ({ figures, to, until }: NoticeRow): boolean =>
  figures.of === undefined || (until === null && to !== null);

function exhaustedBody({ figures, to, until }: NoticeRow): string {
  const said = noticeTexts().exhausted;
  if (figures.of === undefined) return figures.count === undefined ? said.cut : said.depth(figures.count);
  if (until === null && to !== null) return said.again(figures.of, nameOf(to));
  return `${said.all(figures.of)} ${until === null ? said.never : said.back(clock(until), nameOf(to))}`;
}

/** Where a click on a notice leads: an address within the panel. A snapshot tells chains of several projects apart. */
export function noticeView(row: NoticeRow, snapshot: Snapshot | null = null): string {
  switch (row.notice) {
    case 'N2':
    case 'N18':
      return hrefOf('events');
    case 'digest':
      return INBOX_VIEW;
    case 'N3':
    case 'N20':
      return chainView(row, snapshot);
    case 'N6':
    case 'N7':
      return row.model === null ? hrefOf('models') : hrefOf('models', row.model);
    case 'N8':
    case 'N9':
      return hrefOf('setup');
    case 'N10':
    case 'N17':
    case 'N19':
      return row.session === null ? hrefOf('sessions') : hrefOf('sessions', row.session);
    case 'N12':
      return hrefOf('chains');
    case 'N13':
      return hrefOf('settings', 'general');
    case 'N22':
    case 'N23':
    case 'N24':
      return hrefOf('council', row.council?.run);
    default:
      return hrefOf('now');
  }
}

function chainView(row: NoticeRow, snapshot: Snapshot | null): string {
  const speaker = snapshot && speakerOf(row, snapshot);
  const chain = speaker && chainOf(snapshot.chains, speaker);
  return hrefOf('chains', chain ? chainKey(chain) : agentOf(row));
}

/**
 * What can be done about a notice now, the most important first. Nothing is offered that no longer is to be done: what is
 * asked names the snapshot it was offered on, and a core that knows better refuses.
 */
export function noticeActs(row: NoticeRow, snapshot: Snapshot): readonly NoticeAct[] {
  const { acts } = noticeTexts();
  const view = noticeView(row, snapshot);
  const open: NoticeAct = { label: acts.open, view };
  switch (row.notice) {
    case 'N1':
    case 'N15':
      return [...pinned(row, snapshot, row.to, acts.hold), open];
    case 'N3':
      return [{ label: acts.resetAll, ask: resetAll(snapshot) }, open];
    case 'N5':
      return [];
    case 'N6':
      return [{ label: acts.fix, view }];
    case 'N7':
      return [...released(row, snapshot), open];
    case 'N8':
      return [{ label: acts.doctor, view }];
    case 'N9':
      return [{ label: acts.update, view }];
    case 'N10':
      return [open, { label: acts.export, view }];
    case 'N11':
      return [...heldCheaper(row, snapshot), open];
    case 'N12':
      return [{ label: acts.review, view }];
    case 'N21':
      return [...answers(row, snapshot), open];
    case 'N22':
      return [...councilAnswers(row, snapshot), open];
    default:
      return [open];
  }
}

/** Yes and no to the question a notice is about, as long as it waits. */
function answers(row: NoticeRow, { questions, rev }: Snapshot): NoticeAct[] {
  const question = questions.find(({ session, agent }) => session === row.session && agent === agentOf(row));
  if (!question) return [];
  const { yes, no } = nowTexts().question;
  return ([true, false] as const).map((isYes) => {
    const act = { type: 'question.answered', question: question.id, yes: isYes } as const;
    return { label: isYes ? yes : no, ask: { name: 'person.act', input: { act, rev } } };
  });
}

/** Yes and no to the question that a council puts, as long as it is put. */
function councilAnswers({ council }: NoticeRow, { councils }: Snapshot): NoticeAct[] {
  const asked = councils.find(({ run, question }) => run === council?.run && question?.id === council?.question?.id);
  if (!asked?.question) return [];
  const { run, question } = asked;
  const { yes, no } = nowTexts().question;
  return ([true, false] as const).map((isYes) => ({
    label: isYes ? yes : no,
    ask: { name: 'council.say', input: { run, word: { kind: 'answer', yes: isYes, question: question.id } } },
  }));
}

const resetAll = ({ rev }: Snapshot): NoticeQuestion => ({
  name: 'health.reset',
  input: { target: { all: true }, rev },
});

/** Holds the agent where its notice found it, as long as its session is known. */
function pinned(row: NoticeRow, snapshot: Snapshot, model: string | null, label: string): NoticeAct[] {
  const speaker = speakerOf(row, snapshot);
  if (!speaker || model === null) return [];
  const { agent, directory } = speaker;
  const act = { type: 'agent.pinned', directory, agent, model, forMs: STAY_MS } as const;
  return [{ label, ask: { name: 'person.act', input: { act, rev: snapshot.rev } } }];
}

function speakerOf(row: NoticeRow, { sessions }: Snapshot): (AgentRow & Pick<SessionRow, 'directory'>) | null {
  const speakers = sessions.flatMap(({ agents, directory }) => agents.map((each) => ({ ...each, directory })));
  return speakers.find(({ agent, session }) => session === row.session && agent === agentOf(row)) ?? null;
}

function released({ model }: NoticeRow, { models, rev }: Snapshot): NoticeAct[] {
  if (model === null || !models.some((row) => row.model === model && row.hold !== null)) return [];
  const act = { type: 'health.held', model, state: null, forMs: null } as const;
  return [{ label: noticeTexts().acts.release, ask: { name: 'person.act', input: { act, rev } } }];
}

const USABLE: readonly ModelRow['state'][] = ['ready', 'degraded', 'unseen'];

/** Holds the agent on the cheapest model of its chain that is usable and cheaper than the one it is on. */
function heldCheaper(row: NoticeRow, snapshot: Snapshot): NoticeAct[] {
  const speaker = speakerOf(row, snapshot);
  const abilitiesOf = (model: string | null) => snapshot.models.find((other) => other.model === model)?.abilities;
  const present = abilitiesOf(row.to);
  const cheaper = (speaker?.chain ?? []).flatMap(({ model, state }) => {
    const own = abilitiesOf(model);
    const times = own && present && USABLE.includes(state) ? priceRatio(present, own) : 0;
    return times > 0 && times < 1 ? [{ model, times }] : [];
  });
  const [first] = cheaper.sort((one, other) => one.times - other.times);
  return first ? pinned(row, snapshot, first.model, noticeTexts().acts.holdCheaper(nameOf(first.model))) : [];
}

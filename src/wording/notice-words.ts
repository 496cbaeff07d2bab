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

/** A request to the core that a notice can make. */
export type NoticeQuestion =
  | Readonly<{ name: 'health.reset'; input: QueryInput<'health.reset'> }>
  | Readonly<{ name: 'person.act'; input: QueryInput<'person.act'> }>
  | Readonly<{ name: 'council.say'; input: QueryInput<'council.say'> }>;

/** An action of a notice: open a view of the panel, or send a request to the core. */
export type NoticeAct = Readonly<{ label: string }> & (Readonly<{ view: string }> | Readonly<{ ask: NoticeQuestion }>);

const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));
const nameOf = (model: string | null): string => (model === null ? '' : shortName(model));
const timeOf = (at: number | null): string => (at === null ? '' : clock(at));
const agentOf = ({ agents }: NoticeRow): string => agents[0] ?? '';

/** The title of a notice. */
export function noticeTitle(row: NoticeRow): string {
  const t = noticeTexts();
  const { agents, figures, model, to } = row;
  switch (row.notice) {
    case 'N1':
      return t.fell.title(agentOf(row), nameOf(to));
    case 'N2':
      return t.fellTogether.title(counted(agents.length, 'agent'));
    case 'N3':
      return isOnlyStopped(row) ? t.exhausted.stopped(agentOf(row)) : t.exhausted.title(agentOf(row));
    case 'N4':
      return t.recovered.title(agentOf(row));
    case 'N5':
      return t.home.title(agentOf(row), nameOf(model));
    case 'N6':
      return t.attention.title(model === null ? '' : providerOf(model));
    case 'N7':
      return t.unstable.title(nameOf(model));
    case 'N8':
      return t.lost.title;
    case 'N9':
      return t.versions.title;
    case 'N10':
      return t.session.title(sessionFigures(row));
    case 'N11':
      return t.costlier.title(agentOf(row));
    case 'N12':
      return t.changed.title;
    case 'N13':
      return t.update.title(row.version ?? '');
    case 'N14':
      return t.passed[row.near?.isEstimate ? 'estimate' : 'title'](planOf(row), partPhrase(row.near?.used ?? 0));
    case 'N15':
      return t.fell.title(agentOf(row), nameOf(to));
    case 'N16':
      return spentTitle(row);
    case 'N17':
      return t.failing.title(agentOf(row));
    case 'N18':
      return t.many.title;
    case 'N19':
      return t.retries.title(agentOf(row), figures.count ?? 0, figures.of ?? 0);
    case 'N20':
      return t.stuck.title(agentOf(row), timeOf(row.until));
    case 'N21':
      return t.asks.title(agentOf(row));
    case 'N22':
      return councilNewsTexts().asks.title(councilOf(row));
    case 'N23':
      return councilNewsTexts()[row.council?.pause === 'cap' ? 'capped' : 'allOff'].title(councilOf(row));
    case 'N24':
      return councilNewsTexts().finished.title(councilOf(row));
    case 'digest':
      return t.digest.title(t.counts.notice(figures.count ?? 0));
  }
}

const councilOf = ({ project }: NoticeRow): string => councilName({ repo: project });

/** "41 turns, 3 fallbacks, $1.84". */
function sessionFigures({ figures: { turns = 0, fallbacks = 0, cost } }: NoticeRow): string {
  const money = cost === undefined ? '' : costPhrase({ cost, pricedShare: 1 });
  return [counted(turns, 'turn'), noticeTexts().counts.fallback(fallbacks), money].filter(Boolean).join(', ');
}

/** The text below the title of a notice; may be empty. */
export function noticeBody(row: NoticeRow): string {
  const t = noticeTexts();
  const { agents, figures, model, to, until } = row;
  switch (row.notice) {
    case 'N1':
      return t.fell.body(whyOf(row), timeOf(until));
    case 'N2':
      return t.fellTogether.body(sharedWhyOf(row), agents.join(', '));
    case 'N3':
      return exhaustedBody(row);
    case 'N4':
      return t.recovered.body(nameOf(model));
    case 'N5':
      return t.home.body(elapsed(figures.lastedMs ?? 0), counted(figures.turns ?? 0, 'turn'));
    case 'N6':
      return attentionBody(row);
    case 'N7':
      return t.unstable.body(timeOf(until));
    case 'N8':
      return t.lost.body;
    case 'N9':
      return t.versions.body;
    case 'N10':
      return row.project ?? '';
    case 'N11':
      return t.costlier.body(nameOf(to), String(figures.times ?? 0), nameOf(model));
    case 'N12':
      return t.changed.body;
    case 'N13':
      return t.update.body;
    case 'N14':
      return passedBody(row);
    case 'N15':
      return t.fell.body(nearOf(row), whenOf(row));
    case 'N16':
      return spentBody(row);
    case 'N17':
      return t.failing.body;
    case 'N18':
      return t.many.body(figures.count ?? 0);
    case 'N19':
      return (figures.count ?? 0) < (figures.of ?? 0) ? t.retries.warned : t.retries.spent;
    case 'N20':
      return t.stuck.body(whyOf(row));
    case 'N21':
      if (row.near?.unit === 'dollars') return t.asks.spend(budgetPhrase(row.near));
      if (row.near?.code === 'headroom.drain' && to !== null)
        return t.asks.drain(drainPhrase(to, row.near), nameOf(to));
      return to === null ? t.asks.again(nameOf(model)) : t.asks.other(nameOf(to));
    case 'N22':
      return askedBody(row);
    case 'N23':
      return pausedBody(row);
    case 'N24':
      return councilNewsTexts().finished.body(foundIn(row));
    case 'digest':
      return t.digest.body;
  }
}

/** The title for an agent that a budget stops, or for the budget. */
function spentTitle(row: NoticeRow): string {
  const t = noticeTexts().budget;
  if (row.agents.length > 0) return t.stopped(agentOf(row));
  return (row.near?.used ?? 0) < 1 ? t.near : t.spent;
}

function spentBody({ near, until, at }: NoticeRow): string {
  return near ? noticeTexts().budget.body(budgetPhrase(near), until === null ? '' : when(until, at)) : '';
}

/** The plan of a notice: "anthropic, week limit, opus". */
function planOf({ model, near }: NoticeRow): string {
  if (model === null || !near || near.unit === 'dollars') return '';
  const account = providerOf(model);
  const name = accountPhrase({ provider: unaccounted(account), label: accountIn(account), isApart: false });
  return `${name}, ${windowPhrase({ ...near, unit: near.unit, model: null, family: near.of === undefined ? null : shortName(near.of) })}`;
}

const nearOf = ({ model, near }: NoticeRow): string =>
  model !== null && near ? nearPhrase(model, near) : nameOf(model);

/** The end of a notice's state, which may be days away. */
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
  const t = councilNewsTexts();
  const spent = councilSpent({ spent: cost, cap: cap ?? null });
  return council?.pause === 'cap' ? t.capped.detail(spent) : t.allOff.detail;
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

/** "claude-sonnet is rate limited (429)"; only the name if the reason is unknown. */
const whyOf = ({ model, kind, status }: NoticeRow): string =>
  model !== null && kind !== null ? failurePhrase(model, kind, status) : nameOf(model);

/** The common reason of several switches; empty if they differ. */
const sharedWhyOf = ({ model, kind }: NoticeRow): string =>
  model !== null && kind !== null ? noticeTexts().fellTogether.why(providerOf(model), kindPhrase(kind, null)) : '';

/** True if a model takes the next message: a limit ended this one, or each model failed. */
const isOnlyStopped = ({ figures, to, until }: NoticeRow): boolean =>
  figures.of === undefined || (until === null && to !== null);

function exhaustedBody({ figures, to, until }: NoticeRow): string {
  const t = noticeTexts().exhausted;
  if (figures.of === undefined) return figures.count === undefined ? t.cut : t.depth(figures.count);
  if (until === null && to !== null) return t.again(figures.of, nameOf(to));
  return `${t.all(figures.of)} ${until === null ? t.never : t.back(clock(until), nameOf(to))}`;
}

/** The address in the panel that a click on a notice opens. A snapshot distinguishes chains of several projects. */
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
 * The current actions of a notice, the most important first. A request contains the revision of the snapshot, or
 * the id of a council's question, so that the core rejects outdated ones.
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

/** Yes and no for the question of a notice while it is open. */
function answers(row: NoticeRow, { questions, rev }: Snapshot): NoticeAct[] {
  const question = questions.find(({ session, agent }) => session === row.session && agent === agentOf(row));
  if (!question) return [];
  const { yes, no } = nowTexts().question;
  return ([true, false] as const).map((isYes) => {
    const act = { type: 'question.answered', question: question.id, yes: isYes } as const;
    return { label: isYes ? yes : no, ask: { name: 'person.act', input: { act, rev } } };
  });
}

/** Yes and no for the question of a council while it is open. */
function councilAnswers({ council }: NoticeRow, { councils }: Snapshot): NoticeAct[] {
  const row = councils.find(({ run, question }) => run === council?.run && question?.id === council?.question?.id);
  if (!row?.question) return [];
  const { run, question } = row;
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

/** Pins the agent to a model while its session is in the snapshot. */
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

/** Pins the agent to the cheapest usable model of its chain that is cheaper than the current one. */
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

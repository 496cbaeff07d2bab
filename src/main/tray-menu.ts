import { type PersonAct, STAY_MS } from '../contract/acts';
import type { AgentRecord } from '../contract/agent-record';
import type { QueryInput } from '../contract/contract';
import type { ExportFormat } from '../contract/scorecard';
import { hrefOf } from '../contract/shell';
import type { EventRow, ModelRow, Snapshot } from '../contract/snapshot';
import type { CouncilRunRow } from '../features/council/contract/council-run';
import {
  councilName,
  councilQuestion,
  councilStanding,
  councilsNear,
  isUnderWay,
  isWaiting,
} from '../features/council/wording/council-words';
import { councilNewsTexts, nowTexts, trayTexts } from '../texts';
import { isResettable, questionPhrase } from '../wording/act-words';
import { recordsOf } from '../wording/agent-record';
import { nameOf, statePhrase, stateText } from '../wording/agent-record-words';
import { attentionOf } from '../wording/attention';
import { attentionTitle } from '../wording/attention-words';
import { chainKey, chainOf } from '../wording/chain-words';
import { eventSentence } from '../wording/event-words';
import { rowIn } from '../wording/model-rows';
import { probeCost, requestPrice } from '../wording/probe-words';
import { clock, kindPhrase, shortName, stateWithin } from '../wording/wording';
import { isSpoken, type LiveAgent, label, liveAgents, type Standing, standingOf } from './tray-agents';
import { limitLabel, limitsNear } from './tray-headroom';
import { clockOf, placeOf } from './tray-view';

/** `rev` is of the displayed snapshot. */
export type TrayAction =
  | Readonly<{ kind: 'act'; act: PersonAct; rev: number }>
  | Readonly<{ kind: 'reset' | 'probe'; model: string; rev: number }>
  | Readonly<{ kind: 'council'; run: string; word: QueryInput<'council.say'>['word'] }>
  /** Null ends muting. */
  | Readonly<{ kind: 'mute'; span: 'hour' | 'today' | null }>
  /** Null means all sessions. */
  | Readonly<{ kind: 'export'; format: TrayFormat; session: string | null }>
  | Readonly<{ kind: 'go'; hash: string }>
  | Readonly<{ kind: 'open' | 'quit' }>;

export type TrayRow =
  | Readonly<{ kind: 'separator' }>
  | Readonly<{ kind: 'text'; label: string }>
  | Readonly<{ kind: 'radio'; label: string; isChosen: boolean }>
  | Readonly<{ kind: 'action'; label: string; action: TrayAction }>
  | Readonly<{ kind: 'submenu'; label: string; rows: readonly TrayRow[] }>;

/** Unix ms; null if not muted. */
export type TrayChoices = Readonly<{ mutedUntil: number | null }>;

/** Equal in every language. */
export const TRAY_FORMATS = {
  md: 'Markdown',
  json: 'JSON',
  html: 'HTML',
  csv: 'CSV',
} as const satisfies Readonly<Partial<Record<ExportFormat, string>>>;
type TrayFormat = keyof typeof TRAY_FORMATS;

/** Menus cut longer labels. */
const MAX_LABEL = 48;

const MIN_NAME = 6;
const MAX_AGENTS = 8;
const MAX_COUNCILS = 3;
const MAX_LIMITS = 4;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DRILL_SHOWN_MS = 600_000;

const SEPARATOR: TrayRow = { kind: 'separator' };
const text = (caption: string): TrayRow => ({ kind: 'text', label: label(caption, MAX_LABEL) });
const row = (caption: string, action: TrayAction): TrayRow => ({
  kind: 'action',
  label: label(caption, MAX_LABEL),
  action,
});
const go = (caption: string, hash: string): TrayRow => row(caption, { kind: 'go', hash });
const submenu = (caption: string, rows: readonly TrayRow[]): TrayRow => ({
  kind: 'submenu',
  label: label(caption, MAX_LABEL),
  rows,
});
/** A disabled row keeps its place. */
const rowIf = (caption: string, action: TrayAction | null): TrayRow =>
  action === null ? text(caption) : row(caption, action);

/** Worst agents first; no text that changes by the second. */
export function trayMenu(snapshot: Snapshot, { mutedUntil }: TrayChoices): readonly TrayRow[] {
  return [
    ...grouped([questionRows(snapshot), toSeeToRows(snapshot), agentRows(snapshot), councilRows(snapshot)]),
    ...grouped([limitRows(snapshot), [...connectionRows(snapshot), ...newsRows(snapshot)]]),
    ...grouped([[pauseRow(snapshot), muteRow(snapshot, mutedUntil), exportRow(snapshot)]]),
    ...trayFoot(),
  ];
}

export function trayFoot(): readonly TrayRow[] {
  const texts = trayTexts();
  return [row(texts.open, { kind: 'open' }), go(texts.settings, '#/settings'), row(texts.quit, { kind: 'quit' })];
}

const grouped = (groups: readonly (readonly TrayRow[])[]): TrayRow[] =>
  groups.flatMap((rows) => (rows.length === 0 ? [] : [...rows, SEPARATOR]));

function questionRows(snapshot: Snapshot): TrayRow[] {
  const attention = attentionOf(snapshot).find((item) => item.kind === 'question');
  if (!attention) return [];
  const { question } = attention;
  const { rev } = snapshot;
  const { yes, no } = nowTexts().question;
  const answered = (isYes: boolean): TrayAction => ({
    kind: 'act',
    rev,
    act: { type: 'question.answered', question: question.id, yes: isYes },
  });
  const { title } = questionPhrase(question);
  return [submenu(`⚑ ${title}`, [row(yes, answered(true)), row(no, answered(false))])];
}

/** Items that no agent's row shows. */
function toSeeToRows(snapshot: Snapshot): TrayRow[] {
  const leads = new Set(
    liveAgents(snapshot).flatMap((agent) => (standingOf(agent) === 'needs' ? [providerOf(agent.row.lead)] : [])),
  );
  return attentionOf(snapshot).flatMap((item) => {
    const isTold = 'row' in item || 'council' in item || (item.kind === 'needsYou' && leads.has(item.provider));
    if (isTold || item.way.kind !== 'go') return [];
    return [go(`⚑ ${attentionTitle(item, snapshot)}`, hrefOf(item.way.view, item.way.detail))];
  });
}

const providerOf = (model: string): string => model.slice(0, model.indexOf('/'));

function agentRows(snapshot: Snapshot): TrayRow[] {
  const agents = liveAgents(snapshot);
  const rows = agents
    .slice(0, MAX_AGENTS)
    .map((agent) => submenu(agentLabel(agent, snapshot), agentMenu(agent, snapshot)));
  const left = agents.length - rows.length;
  return left > 0 ? [...rows, go(trayTexts().more(left), '#/now')] : rows;
}

const GLYPHS: Readonly<Record<Standing, string>> = {
  waiting: '⚑',
  stuck: '⚑',
  down: '✕',
  leftOut: '✕',
  needs: '⚑',
  silent: '◔',
  away: '↓',
  well: '●',
};

function agentLabel(live: LiveAgent, snapshot: Snapshot): string {
  const { row: agent, record, directory } = live;
  const t = trayTexts();
  const standing = standingOf(live);
  const name = nameOf(record, recordsOf(snapshot), (each, project) => `${each} (${project})`);
  const head = `${GLYPHS[standing]} ${name}`;
  const model = `${head}  ${shortName(record.model)}`;
  const end = record.until === null ? [] : [`~${clock(record.until)}`];
  const first = agent.chain[0];
  switch (standing) {
    case 'waiting':
    case 'leftOut':
      return `${head}  ${stateText(record)}`;
    case 'stuck':
      return [`${head}  ${stateText(record)}`, ...end].join(' · ');
    case 'silent':
      return [model, stateText(record)].join(' · ');
    case 'down':
      return [`${head}  ${record.reason?.code === 'stopped' ? t.stopped : statePhrase(record)}`, ...end].join(' · ');
    case 'needs':
      return `${head}  ${t.needsYou}: ${needOf(first?.code ?? null)}`;
    case 'away':
      return [model, placeOf(record), ...(record.isRunning ? [t.running] : []), ...backIn(record)].join(' · ');
    case 'well':
      return [
        model,
        record.position === 1 ? t.primary : placeOf(record),
        ...(record.state === 'running' ? [stateText(record)] : []),
        ...unwell(first?.state ?? 'ready', rowIn(snapshot.models, directory, first?.model ?? '')),
      ].join(' · ');
  }
}

/** A pin's end, else the return of the primary. */
function backIn({ until, reason }: AgentRecord): string[] {
  if (until === null) return [];
  return [reason?.code === 'pinned' ? `~${clock(until)}` : trayTexts().backAt(clock(until))];
}

type State = ModelRow['state'];

const unwell = (state: State, lead: ModelRow | undefined): string[] =>
  state === 'ready' || state === 'unseen' ? [] : [modelState(state, lead)];

/** "degraded 2/3", "cooling". */
function modelState(state: State, model: ModelRow | undefined): string {
  if (state === 'blocked') return trayTexts().needsYou;
  const phrase = stateWithin(state);
  return state === 'degraded' && model ? `${phrase} ${model.failures}/${model.failureThreshold}` : phrase;
}

function needOf(code: string | null): string {
  const { needs } = trayTexts();
  const kind = code?.slice('blocked.'.length) ?? '';
  return Object.hasOwn(needs, kind) ? needs[kind as keyof typeof needs] : needs.other;
}

function agentMenu(agent: LiveAgent, snapshot: Snapshot): TrayRow[] {
  const blocked = agent.row.chain.find(({ state }) => state === 'blocked');
  const fix = blocked ? [go(trayTexts().agent.fix, hrefOf('models', blocked.model))] : [];
  return [
    ...grouped([[...fix, ...actRows(agent, snapshot)], chainRows(agent, snapshot)]),
    go(trayTexts().agent.openChain, chainHash(agent, snapshot)),
  ];
}

function actRows(live: LiveAgent, { rev, models, pins }: Snapshot): TrayRow[] {
  const { row: agent, record, directory } = live;
  const texts = trayTexts().agent;
  const model = agent.chain[0]?.model ?? agent.lead;
  const lead = rowIn(models, directory, model);
  const pin = pins.find((each) => each.directory === directory && each.agent === agent.agent);
  const pinned = (to: string | null, forMs: number | null): TrayAction => ({
    kind: 'act',
    rev,
    act: { type: 'agent.pinned', directory, agent: agent.agent, model: to, forMs },
  });
  const canHold = agent.chain.length > 0 && isSpoken(live);
  const bringBack: TrayAction = {
    kind: 'act',
    rev,
    act: { type: 'speaker.retried', session: agent.session, agent: agent.agent },
  };
  return [
    ...(record.action === 'bringBack' ? [row(nowTexts().agent.bringBack, bringBack)] : []),
    rowIf(texts.probe(priceOf(lead)), lead ? { kind: 'probe', model, rev } : null),
    rowIf(texts.reset, lead && isResettable(lead) ? { kind: 'reset', model, rev } : null),
    pin
      ? row(texts.letGo(clockOf(pin.until)), pinned(null, null))
      : rowIf(texts.hold, canHold ? pinned(record.model, STAY_MS) : null),
    ...(lead?.hold ? [row(texts.endHold(clockOf(lead.hold.until)), endOfHold(model, rev))] : []),
  ];
}

/** Empty if the price is unknown or zero. */
function priceOf(model: ModelRow | undefined): string {
  const cost = model ? probeCost(model) : null;
  return cost === null || cost === 0 ? '' : requestPrice(cost);
}

const endOfHold = (model: string, rev: number): TrayAction => ({
  kind: 'act',
  rev,
  act: { type: 'health.held', model, state: null, forMs: null },
});

/** A radio group would select its first row for an unavailable agent. */
function chainRows(live: LiveAgent, { models }: Snapshot): TrayRow[] {
  const { row: agent, record, directory } = live;
  const isSilent = !isSpoken(live);
  return agent.chain.map(({ model, state }, index): TrayRow => {
    const row = rowIn(models, directory, model);
    const until = row?.until == null ? '' : ` ~${clock(row.until)}`;
    const line = `${index + 1}  ${shortName(model)} · ${modelState(state, row)}${until}`;
    if (isSilent) return text(line);
    return { kind: 'radio', label: label(line, MAX_LABEL), isChosen: index + 1 === record.position };
  });
}

function chainHash({ row: { agent }, directory }: LiveAgent, { chains }: Snapshot): string {
  const chain = chainOf(chains, { directory, agent });
  return hrefOf('chains', chain && chainKey(chain));
}

const councilRows = (snapshot: Snapshot): TrayRow[] =>
  councilsNear(snapshot)
    .slice(0, MAX_COUNCILS)
    .map((council) => {
      const mark = isWaiting(council) ? '⚑' : isUnderWay(council) ? '●' : '↓';
      return submenu(`${mark} ${councilName(council)} · ${councilStanding(council)}`, councilMenu(council));
    });

function councilMenu(council: CouncilRunRow): TrayRow[] {
  const { acts } = councilNewsTexts();
  const { run } = council;
  const stop: TrayAction = { kind: 'council', run, word: { kind: 'stop' } };
  return [
    ...grouped([councilAnswers(council)]),
    go(acts.open, hrefOf('council', run)),
    ...(isUnderWay(council) ? [row(acts.stop, stop)] : []),
  ];
}

function councilAnswers({ run, question, state, isPlayed }: CouncilRunRow): TrayRow[] {
  const isCapped = isPlayed && state === 'paused_for_user';
  if (question === null && !isCapped) return [];
  const { yes, no } = nowTexts().question;
  const prompt = question === null ? councilNewsTexts().capped.question : councilQuestion(question, false);
  const answered = (isYes: boolean): TrayAction => ({
    kind: 'council',
    run,
    word: { kind: 'answer', yes: isYes, question: question?.id ?? null },
  });
  return [text(prompt), row(yes, answered(true)), row(no, answered(false))];
}

const limitRows = (snapshot: Snapshot): TrayRow[] =>
  limitsNear(snapshot)
    .slice(0, MAX_LIMITS)
    .map((limit) => go(limitLabel(limit, snapshot.at, MAX_LABEL), hrefOf('headroom')));

function connectionRows({ connection: { status } }: Snapshot): TrayRow[] {
  return status === 'waiting' ? [go(trayTexts().tooltip.waiting, '#/setup')] : [];
}

function newsRows(snapshot: Snapshot): TrayRow[] {
  const { events, at } = snapshot;
  const texts = trayTexts();
  const drill = events.find((event) => event.code.startsWith('drill.') && at - event.at < DRILL_SHOWN_MS);
  const [last] = events;
  return [
    ...(drill ? [go(texts.drill(clock(drill.at), drill.code === 'drill.passed'), '#/setup')] : []),
    go(modelsLabel(snapshot), '#/models'),
    ...(last ? [go(lastLabel(last), '#/events')] : []),
  ];
}

const COUNTED = ['ready', 'cooling', 'open', 'blocked', 'held', 'degraded', 'resting', 'probing', 'unseen'] as const;

function modelsLabel({ models }: Snapshot): string {
  const texts = trayTexts();
  const counts = COUNTED.flatMap((state) => {
    const count = models.filter((model) => model.state === state).length;
    if (count === 0) return [];
    return [state === 'blocked' ? texts.needYou(count) : `${count} ${stateWithin(state)}`];
  });
  if (counts.length === 0) return texts.noModels;
  while (texts.models(counts.join(' · ')).length > MAX_LABEL) counts.splice(-2, 2, '…');
  return texts.models(counts.join(' · '));
}

/** Cuts the names of a model change before its reason. */
function lastLabel(event: EventRow): string {
  const { code, agent, model, to, kind, near } = event;
  const texts = trayTexts();
  const last = (what: string): string => texts.last(clock(event.at), what);
  // The models are equal; the accounts differ.
  if (near?.there && agent !== null) return last(texts.emptier(agent, near.there.account));
  if (!/^(?:switch|redirect|headroom)\./.test(code) || agent === null || model === null || to === null)
    return last(eventSentence(event));
  const why = near || code.startsWith('headroom.') ? texts.beforeLimit : kind === null ? '' : kindPhrase(kind, null);
  const [from, next] = [[...shortName(model)], [...shortName(to)]];
  const moved = (a: string, b: string): string => last(texts.moved(agent, a, b, why));
  const tooLong = [...moved(from.join(''), next.join(''))].length - MAX_LABEL;
  const cut = (name: readonly string[], by: number): string =>
    by <= 0 || name.length <= MIN_NAME + 1
      ? name.join('')
      : `${name.slice(0, Math.max(MIN_NAME, name.length - by - 1)).join('')}…`;
  const left = tooLong - (from.length - [...cut(from, tooLong)].length);
  return moved(cut(from, tooLong), cut(next, left));
}

function pauseRow({ pause, rev }: Snapshot): TrayRow {
  const texts = trayTexts().pause;
  if (pause !== null)
    return row(texts.resume(clockOf(pause.until)), { kind: 'act', act: { type: 'switching.resumed' }, rev });
  const paused = (forMs: number | null): TrayAction => ({
    kind: 'act',
    act: { type: 'switching.paused', forMs },
    rev,
  });
  return submenu(texts.title, [
    row(texts.quarter, paused(15 * MINUTE_MS)),
    row(texts.hour, paused(HOUR_MS)),
    row(texts.open, paused(null)),
  ]);
}

function muteRow({ at }: Snapshot, mutedUntil: number | null): TrayRow {
  const texts = trayTexts().mute;
  if (mutedUntil !== null && mutedUntil > at) return row(texts.end(clock(mutedUntil)), { kind: 'mute', span: null });
  return submenu(texts.title, [
    row(texts.hour, { kind: 'mute', span: 'hour' }),
    row(texts.today, { kind: 'mute', span: 'today' }),
  ]);
}

/** Of the latest active session. */
function exportRow({ sessions }: Snapshot): TrayRow {
  const texts = trayTexts().exports;
  const newest = sessions.reduce<Snapshot['sessions'][number] | null>(
    (found, session) => (found === null || session.at > found.at ? session : found),
    null,
  );
  return submenu(
    texts.title,
    (Object.keys(TRAY_FORMATS) as TrayFormat[]).map((format) =>
      row(TRAY_FORMATS[format], { kind: 'export', format, session: newest?.session ?? null }),
    ),
  );
}

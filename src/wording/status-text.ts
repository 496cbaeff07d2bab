import stringWidth from 'fast-string-width';
import type { AgentRecord } from '../contract/agent-record';
import type { ChainRow, ModelRow, Snapshot } from '../contract/snapshot';
import { isWithin, unbooked } from '../engine/names';
import { councilLine, isUnderWay } from '../features/council/wording/council-words';
import { attentionTexts, modelTexts, recordTexts, wordTexts } from '../texts';
import { causePhrase } from './act-words';
import { liveRows, recordsOf } from './agent-record';
import { endText, nameOf, reasonText, stateCounted, stateText, timeLeft } from './agent-record-words';
import { attentionOf } from './attention';
import { attentionDetail, attentionLine, attentionTitle, verdict } from './attention-words';
import { limitCells } from './limit-lines';
import { wholeOf } from './protection';
import { positionPhrase } from './standing-words';
import { costPhrase, tokenKinds, usagePhrase } from './usage-words';
import { agentLabel, counted, knownFrom, ownerPhrase, shortName, stateLabel, stateWithin, when } from './wording';

/** The most characters of a status line. */
const LINE_MOST = 200;

/** The most projects named for a model with its own partition. */
const PLACES_MAX = 2;

/** The snapshot as one line for tmux, Waybar or a prompt: the first attention entry. */
export function statusLine(snapshot: Snapshot): string {
  const line = plain(attentionLine(snapshot));
  return line.length <= LINE_MOST ? line : `${[...line].slice(0, LINE_MOST - 1).join('')}…`;
}

/** The snapshot as lines for a terminal: verdict, attention entries, live agents, models with a problem, and usage. */
export function statusText(snapshot: Snapshot): string {
  const { title, lede } = verdict(snapshot);
  return joined([
    [title, lede],
    attentionLines(snapshot),
    table(agentTable(snapshot)),
    table(limitCells(snapshot)),
    snapshot.councils.filter(isUnderWay).map((row) => `  ${councilLine(row)}`),
    ...modelTables(snapshot),
    snapshot.config.flatMap(configLines),
    droppedLines(snapshot),
  ]);
}

/** Attention entries without the verdict's and without agents, the worst first. */
const attentionLines = (snapshot: Snapshot): string[] =>
  attentionOf(snapshot)
    .slice(1)
    .filter((item) => !('record' in item))
    .map((item) => `  ${attentionTitle(item, snapshot)} ${attentionDetail(item, snapshot)}`.trimEnd());

/** Events that OpenCode processes lost, one line each. */
export const droppedLines = ({ instances }: Snapshot): string[] =>
  instances.flatMap(({ opencode, pid, dropped = 0 }) =>
    dropped === 0 ? [] : [wordTexts().droppedBy(opencode, pid, dropped)],
  );

/** Models with a problem, and usage, as lines; may be empty. */
export const modelsText = (snapshot: Snapshot): string => joined(modelTables(snapshot));

function modelTables({ models, at }: Snapshot): string[][] {
  const sick = models.filter((row) => row.state !== 'ready' && row.state !== 'unseen');
  return [table(sick.map((row) => modelCells(row, at))), table(usageRows(models))];
}

/**
 * The same for one directory in Markdown, with its chains and their models. It uses lists, as OpenCode wraps long items
 * between words but tables within cells.
 */
export function statusMarkdown(snapshot: Snapshot, directory: string): string {
  const isHere = (row: Readonly<{ directory: string }>): boolean => row.directory === directory;
  const sessions = snapshot.sessions.filter(isHere);
  const ids = new Set(sessions.flatMap(({ session, agents }) => [session, ...agents.map((row) => row.session)]));
  const here = {
    ...snapshot,
    sessions,
    chains: snapshot.chains.filter(isHere),
    others: snapshot.others.filter(isHere),
    questions: snapshot.questions.filter(({ session }) => ids.has(session)),
    budgets: snapshot.budgets.filter(({ directory: of }) => of === null || isWithin(of, directory)),
    // Councils have no directory.
    councils: [],
  };
  const { title, lede } = verdict(here);
  const agents = liveRows(here).map(({ row }) => row);
  const named = new Set([...here.chains, ...agents].flatMap(({ chain }) => chain.map(({ model }) => model)));
  const models = snapshot.models.filter(({ model }) => named.has(model));
  const isNamed = (account: string): boolean => [...named].some((model) => model.startsWith(`${account}/`));
  const headroom = snapshot.headroom.filter(({ account }) => isNamed(account) || isNamed(unbooked(account)));
  return joined([
    [`**${title}**`, lede],
    listed(attentionLines(here).map((line) => [line.trim()])),
    listed(agentTable(here)),
    listed(limitCells({ ...here, headroom })),
    listed(chainLines(here.chains)),
    listed(models.map((row) => asCode([...modelCells(row, snapshot.at), requests(row)]))),
    listed(usageRows(models).map(asCode)),
  ]);
}

/** Items of a list, one for each row. */
const listed = (rows: readonly (readonly string[])[]): string[] =>
  rows.map((cells) => `- ${cells.filter((cell) => cell !== '').join(' · ')}`);

/** With the model's name as code, so that its characters are not Markdown. */
const asCode = ([name = '', ...cells]: readonly string[]): readonly string[] => [
  `\`${name.replaceAll('`', "'")}\``,
  ...cells,
];

/** Non-empty sections with an empty line between them. */
const joined = (sections: readonly (readonly string[])[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(plain).join('\n'))
    .join('\n\n');

/** Agents with their models in order; agents with equal chains share a line. */
function chainLines(chains: readonly ChainRow[]): string[][] {
  const agents = new Map<string, string[]>();
  for (const row of chains) {
    const text = wholeOf(row)
      .map(({ model, state }) => `${shortName(model)} (${stateWithin(state)})`)
      .join(' → ');
    agents.set(text, [...(agents.get(text) ?? []), agentLabel(row.agent)]);
  }
  return [...agents].map(([text, names]) => [names.join(', '), text]);
}

const requests = ({ calls, failed }: ModelRow): string =>
  calls === 0 ? '' : `${counted(calls, 'request')}, ${failed} failed`;

/** Agents of live sessions: name, model, place in the chain, state, cause and end. */
function agentTable(snapshot: Snapshot): string[][] {
  const all = recordsOf(snapshot);
  return all.filter(({ isLive }) => isLive).map((record) => agentCells(record, all, snapshot.at));
}

function agentCells(record: AgentRecord, all: readonly AgentRecord[], at: number): string[] {
  const running = record.state === 'onFallback' && record.isRunning ? `, ${recordTexts().states.running}` : '';
  return [
    nameOf(record, all, attentionTexts().inProject),
    shortName(record.model),
    positionPhrase(record),
    // A question and its cause have different ends.
    ...(record.state === 'waitsForAnswer'
      ? [[stateText(record), endText(record, at)].filter(Boolean).join(', '), reasonText(record)]
      : [
          `${stateCounted(record, at)}${running}`,
          [reasonText(record), endText(record, at)].filter(Boolean).join(', '),
        ]),
  ];
}

function modelCells(row: ModelRow, now: number): string[] {
  const failure = row.state === 'ready' ? '' : causePhrase(row);
  const owner = row.source === null ? '' : `, ${ownerPhrase(row.source)}`;
  const until =
    row.until === null ? '' : `${timeLeft(row.until - now)} left, until about ${when(row.until, now)}${owner}`;
  const from = row.machine === undefined ? [] : [knownFrom(row.machine)];
  return [named(row), stateLabel(row), failure, [until, ...from].filter(Boolean).join(', ')];
}

/** The full name of a model, with the projects of its partition. */
function named({ model, apart = [] }: ModelRow): string {
  const plain = unbooked(model);
  if (plain === model) return model;
  const places = apart.slice(0, PLACES_MAX).map((directory) => directory.slice(directory.search(/[^\\/]*$/)));
  const more = apart.length > PLACES_MAX ? [`+${apart.length - PLACES_MAX}`] : [];
  return `${plain} (${modelTexts().apart.tag}${places.length > 0 ? `: ${[...places, ...more].join(', ')}` : ''})`;
}

/** Usage once per model, as partitions do not affect it. */
function usageRows(models: readonly ModelRow[]): string[][] {
  const once = new Map(models.map((row) => [unbooked(row.model), row.usage]));
  return [...once].flatMap(([model, usage]) =>
    usage ? [[model, usagePhrase(usage), costPhrase(usage), tokenKinds(usage)]] : [],
  );
}

function configLines(row: Snapshot['config'][number]): string[] {
  return row.problems.map((problem) => {
    const place = problem.line === null ? '' : `:${problem.line}:${problem.column ?? 1}`;
    return `${problem.severity}: ${row.path}${place}: ${problem.message}`;
  });
}

/** Lines with columns aligned by display width, indented by two, without trailing spaces. */
export function table(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(plain));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  return rows.map((row) => `  ${row.map(padded).join('  ')}`.trimEnd());
}

/** A sortable date and time: 2026-01-05 14:32. @param at in Unix ms. */
export const dayAndMinute = (at: number): string => new Date(at).toLocaleString('sv').slice(0, 16);

/** A name quoted for a shell: `*` would match files. */
export const asArgument = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** A text without control characters: names come from other processes and files. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

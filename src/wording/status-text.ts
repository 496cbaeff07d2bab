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

/** A line no longer than bars show. */
const LINE_MOST = 200;

/** Projects named behind a model whose health is kept apart in them. */
const PLACES_MAX = 2;

/** The snapshot as one line, for the bars of tmux, Waybar or a prompt: what there is to see to first. */
export function statusLine(snapshot: Snapshot): string {
  const line = plain(attentionLine(snapshot));
  return line.length <= LINE_MOST ? line : `${[...line].slice(0, LINE_MOST - 1).join('')}…`;
}

/** The snapshot as lines for a terminal: the verdict, all there is to see to, each live agent, each model that is not well, and what models used. */
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

/** What there is to see to beside what the verdict is about and the rows of agents tell, the worst first. */
const attentionLines = (snapshot: Snapshot): string[] =>
  attentionOf(snapshot)
    .slice(1)
    .filter((item) => !('record' in item))
    .map((item) => `  ${attentionTitle(item, snapshot)} ${attentionDetail(item, snapshot)}`.trimEnd());

/** What OpenCode processes could not have written down, one line each; they alone know of it. */
export const droppedLines = ({ instances }: Snapshot): string[] =>
  instances.flatMap(({ opencode, pid, dropped = 0 }) =>
    dropped === 0 ? [] : [wordTexts().droppedBy(opencode, pid, dropped)],
  );

/** Models that are not well, and what models used, as lines; empty when there is neither. */
export const modelsText = (snapshot: Snapshot): string => joined(modelTables(snapshot));

function modelTables({ models, at }: Snapshot): string[][] {
  const sick = models.filter((row) => row.state !== 'ready' && row.state !== 'unseen');
  return [table(sick.map((row) => modelCells(row, at))), table(usageRows(models))];
}

/**
 * The same for one directory, in Markdown: with its chains, and each model in them with what it has done. Lists and not tables:
 * who shows them breaks a long item between words, and a table in the middle of its cells.
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
    // They are of no directory.
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

/** With a model's name as it is to be typed: its signs are no Markdown. */
const asCode = ([name = '', ...cells]: readonly string[]): readonly string[] => [
  `\`${name.replaceAll('`', "'")}\``,
  ...cells,
];

/** Sections with an empty line between them; empty ones are left out. */
const joined = (sections: readonly (readonly string[])[]): string =>
  sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(plain).join('\n'))
    .join('\n\n');

/** Agents, and their models in order; those that have the same ones share a line. */
function chainLines(chains: readonly ChainRow[]): string[][] {
  const agents = new Map<string, string[]>();
  for (const row of chains) {
    const said = wholeOf(row)
      .map(({ model, state }) => `${shortName(model)} (${stateWithin(state)})`)
      .join(' → ');
    agents.set(said, [...(agents.get(said) ?? []), agentLabel(row.agent)]);
  }
  return [...agents].map(([said, names]) => [names.join(', '), said]);
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
    // The end of a question is not the end of its cause.
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

/** A model as it can be typed; of one whose health is kept apart, with the projects it is kept apart in. */
function named({ model, apart = [] }: ModelRow): string {
  const plain = unbooked(model);
  if (plain === model) return model;
  const places = apart.slice(0, PLACES_MAX).map((directory) => directory.slice(directory.search(/[^\\/]*$/)));
  const more = apart.length > PLACES_MAX ? [`+${apart.length - PLACES_MAX}`] : [];
  return `${plain} (${modelTexts().apart.tag}${places.length > 0 ? `: ${[...places, ...more].join(', ')}` : ''})`;
}

/** What models used, once each: whose health is kept apart where, that says nothing of. */
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

/** Lines with columns that are aligned as a terminal draws them, indented by two; empty cells at the end take no room. */
export function table(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(plain));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  return rows.map((row) => `  ${row.map(padded).join('  ')}`.trimEnd());
}

/** A day and a minute as people sort them, in Swedish and in lists: 2026-01-05 14:32. @param at in Unix ms. */
export const dayAndMinute = (at: number): string => new Date(at).toLocaleString('sv').slice(0, 16);

/** A name as a shell takes it for itself: `*` would stand for files. */
export const asArgument = (name: string): string =>
  /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** A text without what could rewrite the terminal: names come from other processes and files. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

import {
  type AgentRow,
  clock,
  costPhrase,
  kindPhrase,
  type ModelRow,
  positionPhrase,
  type Snapshot,
  shortName,
  stateLabel,
  tokenKinds,
  usagePhrase,
  verdict,
} from '../contract';

/** The snapshot as lines for a terminal: the verdict, each live agent, each model that is not well, and what models used. */
export function statusText(snapshot: Snapshot): string {
  const { title, lede } = verdict(snapshot);
  const agents = snapshot.sessions.filter((session) => session.isLive).flatMap((session) => session.agents);
  const sick = snapshot.models.filter((row) => row.state !== 'ready' && row.state !== 'unseen');
  const sections = [
    [title, lede],
    table(agents.map(agentCells)),
    table(sick.map(modelCells)),
    table(snapshot.models.flatMap(usageCells)),
    snapshot.config.flatMap(configLines),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map(plain).join('\n'))
    .join('\n\n');
}

function agentCells(row: AgentRow): string[] {
  if (row.status === 'exhausted') return [row.agent, 'no model left', `${row.chain.length} of ${row.chain.length} out`];
  const why = row.why === null ? '' : `${shortName(row.why.from)} is ${kindPhrase(row.why.kind, row.why.status)}`;
  return [row.agent, shortName(row.active), positionPhrase(row), why];
}

function modelCells(row: ModelRow): string[] {
  const failure = row.lastFailure === null ? '' : kindPhrase(row.lastFailure.kind, row.lastFailure.status);
  const source = row.source === 'provider' ? 'provider says' : 'our estimate';
  const until = row.until === null ? '' : `until about ${clock(row.until)}, ${source}`;
  return [row.model, stateLabel(row), failure, until];
}

function usageCells({ model, usage }: ModelRow): string[][] {
  return usage ? [[model, usagePhrase(usage), costPhrase(usage), tokenKinds(usage)]] : [];
}

function configLines(row: Snapshot['config'][number]): string[] {
  return row.problems.map((problem) => {
    const place = problem.line === null ? '' : `:${problem.line}:${problem.column ?? 1}`;
    return `${problem.severity}: ${row.path}${place}: ${problem.message}`;
  });
}

/** Lines with aligned columns, indented by two; empty cells at the end take no room. */
export function table(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(plain));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** A text without what could rewrite the terminal: names come from other processes and files. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '');

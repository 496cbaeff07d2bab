import { type ModelId, providerOf } from '../base/ids';
import { entries, get } from '../base/table';
import { type Advice, adviceFrom, type SwitchPattern } from './advice';
import { type Alert, alertAt } from './alert';
import { hourFrom, hourOf, type Scorecard, startOf } from './card';
import { type Cell, emptyCell, mergeCells } from './cell';
import type { Ledger } from './ledger';
import { METHODS } from './methods';
import { byText, ranked } from './ranking';
import { type Figures, figuresOf, type ModelRow } from './row';

/** Times are on the scorecard's clock. */
export type ScorecardQuery = Readonly<{
  session?: string;
  sinceMs?: number;
  /** Exclusive, but its whole hour counts. */
  untilMs?: number;
  model?: ModelId;
  now: number;
}>;

export type ScorecardReport = Readonly<{
  session: string | null;
  /** Null for an open side. */
  range: Readonly<{ sinceMs: number | null; untilMs: number | null }>;
  overall: Figures;
  models: readonly ModelRow[];
  switches: readonly SwitchPattern[];
  advice: readonly Advice[];
  /** Independent of the query. */
  alert: Alert | null;
  keptSinceMs: number | null;
  methods: typeof METHODS;
}>;

/** Unknown sessions and models are empty. */
export function scorecardOf(card: Scorecard, query: ScorecardQuery): ScorecardReport {
  const ledger = query.session === undefined ? card.hours : (get(card.sessions, query.session)?.ledger ?? []);
  return reportOf(ledger, query, alertAt(card, query.now));
}

export function reportOf(ledger: Ledger, query: ScorecardQuery, alert: Alert | null): ScorecardReport {
  const since = query.sinceMs === undefined ? null : hourOf(query.sinceMs);
  const until = query.untilMs === undefined ? null : hourFrom(query.untilMs);
  const isIn = (hour: number): boolean => (since === null || hour >= since) && (until === null || hour < until);
  const cells = modelCells(ledger, isIn, query.model);
  const rows = [...cells].map(
    ([model, cell]): ModelRow => ({ model, provider: providerOf(model), ...figuresOf(cell) }),
  );
  const models = ranked(rows);
  const switches = switchesOf(cells);
  const first = ledger[0];
  return {
    session: query.session ?? null,
    range: { sinceMs: since === null ? null : startOf(since), untilMs: until === null ? null : startOf(until) },
    overall: figuresOf([...cells.values()].reduce(mergeCells, emptyCell)),
    models,
    switches,
    advice: adviceFrom(models, switches),
    alert,
    keptSinceMs: first ? startOf(first.hour) : null,
    methods: METHODS,
  };
}

/** Most recently active first. */
export function sessionsIn(card: Scorecard): readonly Readonly<{ session: string; at: number }>[] {
  return entries(card.sessions)
    .map(([session, { at }]) => ({ session, at }))
    .sort((a, b) => b.at - a.at || byText(a.session, b.session));
}

function modelCells(ledger: Ledger, isIn: (hour: number) => boolean, only?: ModelId): ReadonlyMap<ModelId, Cell> {
  const cells = new Map<ModelId, Cell>();
  for (const { hour, cells: models } of ledger) {
    if (!isIn(hour)) continue;
    for (const [model, cell] of models) {
      if (only !== undefined && model !== only) continue;
      cells.set(model, mergeCells(cells.get(model) ?? emptyCell, cell));
    }
  }
  return cells;
}

function switchesOf(cells: ReadonlyMap<ModelId, Cell>): SwitchPattern[] {
  return [...cells]
    .flatMap(([from, cell]) => cell.switches.map(([to, count]) => ({ from, to, count })))
    .sort((a, b) => b.count - a.count || byText(a.from, b.from) || byText(a.to, b.to));
}

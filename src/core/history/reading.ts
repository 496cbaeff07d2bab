import type { Handlers, QueryInput, QueryOutput } from '../../contract/contract';
import type { ScorecardRange } from '../../contract/scorecard';
import type { SessionRow } from '../../contract/snapshot';
import type { UsageAnswer, UsageQuestion } from '../../contract/usage';
import { type EngineState, keyIn, shownAs } from '../../engine';
import { alertAt, type CellRow } from '../../engine/scorecard';
import type { Titles } from '../acts/titles';
import { createKindReader, type KindReader } from '../base/kind-reader';
import type { CorePorts } from '../ports/ports';
import { createScorecardDesk, exportName, exportText, type ScorecardDesk } from '../scorecard/desk';
import { createSlots, modelsOf, type UsageSources, usageOf, usageText } from '../usage-report';
import { agentsOf } from './agent-usage';
import { attemptsIn, type Books, hoursOf } from './books';
import { createEventDesk } from './event-desk';
import { explain } from './explain';
import { type History, rowsIn } from './history';
import { type Inbox, objectionToPhrase } from './inbox';
import { limitHandlers } from './limit-desk';
import { HISTORY_MS, type Pulse } from './pulse';
import { sessionHandlers } from './sessions';
import { playWhatIf } from './what-if';

const PHRASES_SHOWN = 20;

export type ReadingParts = Pick<CorePorts, 'clock' | 'log' | 'store'> &
  Readonly<{
    version: string;
    books: Books;
    history: History;
    inbox: Inbox;
    pulse: Pulse;
    state(): EngineState;
    recent(): readonly SessionRow[];
    titles: Titles;
  }>;

export function createReading(parts: ReadingParts) {
  const { clock, log, store, books, history, inbox, pulse } = parts;
  const events = createEventDesk(() => history.rows(), store?.events ?? null);
  const desk = deskOf(parts);
  const settle = settleOf(parts);
  const sources = usageSources(parts);
  const usageNow = async (question: UsageQuestion): Promise<UsageAnswer> => {
    await settle();
    return usageOf(question, sources);
  };
  const latencies = (): QueryOutput<'models.latency'> =>
    desk
      .report({ sinceMs: clock.wall() - HISTORY_MS })
      .models.flatMap(({ model, firstToken }) =>
        firstToken.p50Ms === null ? [] : [{ model, firstWordMs: firstToken.p50Ms }],
      );
  const handlers = {
    'phrases.unknown': inbox.page,
    'phrases.preview': (phrase) => {
      const named = objectionToPhrase(phrase.phrase) === null ? inbox.namedBy(readerOf(phrase)) : [];
      return { entries: named.slice(0, PHRASES_SHOWN), total: named.length };
    },
    'scorecard.get': desk.document,
    'scorecard.agents': async (range) => {
      await settle();
      return desk.agents(range);
    },
    'scorecard.export': async ({ format, ...range }) => {
      await settle();
      return { name: exportName(range, format), text: exportText(desk, range, format) };
    },
    ...sessionHandlers({
      recent: parts.recent,
      titles: parts.titles,
      pulse,
      events,
      wall: clock.wall,
      keyOf: (model, directory) => shownAs(parts.state(), keyIn(parts.state(), directory, model)),
      slots: sources.slots,
      store,
      familyOf: books.familyOf,
      report: desk.report,
      flush: books.flush,
      decisions: history.rows,
    }),
    'usage.get': usageNow,
    'usage.models': async (query) => {
      await settle();
      return modelsOf(query, sources);
    },
    'usage.agents': async (query) => {
      await settle();
      return store && agentsOf(query, { ...parts, store });
    },
    'usage.export': async ({ part, format, ...question }) =>
      usageText(await usageNow(question), { part, format, version: parts.version, generatedAtMs: clock.wall() }),
    ...limitHandlers({ ...parts, settle }),
    'what-if.play': async (question) => playWhatIf((await log.readAll()).records, question, desk.report({}).models),
    'models.latency': latencies,
    'model.history': ({ model }) => ({
      ...pulse.history(model, clock.wall()),
      firstWordMs: latencies().find((row) => row.model === model)?.firstWordMs ?? null,
    }),
    'models.states': ({ models }) =>
      models.map((model) => ({ model, states: pulse.history(model, clock.wall()).states })),
    'events.page': (query) => events.page(query),
    'events.counts': ({ filter }) => events.counts(filter),
    'decision.explain': (query) => explain(query, events, parts.state()),
  } satisfies Partial<Handlers>;
  return { desk, handlers };
}

function deskOf({ version, clock, store, books, history }: ReadingParts): ScorecardDesk {
  return createScorecardDesk({
    version,
    wall: clock.wall,
    alert: () => alertAt(books.card(), clock.wall()),
    figures: books.figuresByDay,
    events: (range) => rowsIn(range, history.rows(), store),
    attempts: (range) => store?.attempts(attemptsIn(range, books.familyOf)) ?? null,
    refused: (range) => store?.refused(attemptsIn(range, books.familyOf)) ?? [],
  });
}

/** Sums of the store and data in memory must be of the same moment. */
const settleOf =
  ({ books, store }: Pick<ReadingParts, 'books' | 'store'>) =>
  async (): Promise<void> => {
    books.flush();
    await store?.flush();
  };

/** Users rarely reset models. */
const RESETS_MAX = 500;

function usageSources({ clock, store, books }: ReadingParts): UsageSources {
  const ofProject = (project: string, range: ScorecardRange): readonly CellRow[] =>
    store?.figures({ project, ...hoursOf(range) }) ?? [];
  return {
    wall: clock.wall,
    figures: ({ project, ...range }) => (project === undefined ? books.figures(range) : ofProject(project, range)),
    figuresByDay: ({ project, ...range }) =>
      project === undefined ? books.figuresByDay(range) : ofProject(project, range),
    oldestHour: ({ project }) => store?.oldestHour(project !== undefined) ?? null,
    sums: ({ session, ...query }) =>
      store?.sums({ ...query, ...(session === undefined ? {} : { sessions: books.familyOf(session) }) }) ?? null,
    resets(range) {
      const sinceMs = store?.events.kept().sinceMs ?? null;
      if (!store || sinceMs === null) return null;
      const filter = { codes: ['reset'], ...range };
      const found = { filter, before: Number.MAX_SAFE_INTEGER, after: 0, offset: 0, limit: RESETS_MAX };
      return { at: store.events.page(found).map(({ at }) => at), sinceMs };
    },
    slots: createSlots(() => store?.slots() ?? null),
    projects: () => store?.projects() ?? [],
  };
}

const readerOf = ({ phrase, provider }: QueryInput<'phrases.preview'>): KindReader =>
  createKindReader(() => [], [{ phrase, kind: 'unknown', ...(provider === null ? {} : { provider }) }]);

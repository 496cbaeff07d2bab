import * as z from 'zod';
import type { councilQueries } from '../features/council/contract/council';
import type { fleetQueries } from '../features/fleet/contract/fleet';
import type { rankingQueries } from '../features/ranking/contract/ranking';
import { ActAnswer, PersonAct } from './acts';
import { appQueries } from './app';
import { configQueries } from './config';
import { dataQueries } from './data';
import { demoQueries } from './demo';
import { drillQueries } from './drill';
import { eventQueries } from './events';
import { failureText } from './failure-text';
import { limitQueries } from './limit-course';
import { NoticePush, noticeQueries } from './notices';
import { preferencesQueries } from './preferences';
import { probeQueries } from './probe';
import { AgentFigures, EXPORT_FORMATS, ScorecardDocument, ScorecardRange } from './scorecard';
import { sessionQueries } from './sessions';
import { setupQueries } from './setup';
import { shellQueries } from './shell';
import { ModelHistory, Snapshot } from './snapshot';
import { SnapshotChange } from './snapshot-change';
import { trustQueries } from './trust';
import { PhrasePage, UnknownPhrase } from './unknown-phrase';
import { usageQueries } from './usage';
import { WhatIfAnswer, WhatIfQuestion } from './what-if';

const Rev = z.int().nonnegative();
const Actor = z.string().min(1).max(50).default('panel');

const MODELS_AT_ONCE = 20;

const own = {
  'snapshot.get': { input: z.null(), output: Snapshot },
  'phrases.unknown': {
    input: PhrasePage,
    output: z.object({ entries: z.array(UnknownPhrase), total: z.int().nonnegative() }),
  },
  'scorecard.get': { input: ScorecardRange, output: ScorecardDocument },
  /** Null if single attempts are not stored. */
  'scorecard.agents': { input: ScorecardRange, output: z.array(AgentFigures).nullable() },
  /** Rejected if too long for one response. */
  'scorecard.export': {
    input: ScorecardRange.unwrap().extend({ format: z.enum(EXPORT_FORMATS) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
  'what-if.play': { input: WhatIfQuestion, output: WhatIfAnswer },
  'model.history': { input: z.object({ model: z.string().max(300) }), output: ModelHistory },
  'models.states': {
    input: z.object({ models: z.array(z.string().max(300)).max(MODELS_AT_ONCE) }),
    output: z.array(ModelHistory.pick({ states: true }).extend({ model: z.string() })),
  },
  ...eventQueries,
  /** Rejected if `rev` is older than the model's last change. */
  'health.reset': {
    input: z.object({
      target: z.union([
        z.object({ model: z.string() }),
        z.object({ provider: z.string() }),
        z.object({ all: z.literal(true) }),
      ]),
      rev: Rev,
      actor: Actor,
    }),
    output: ActAnswer,
  },
  'person.act': { input: z.object({ act: PersonAct, rev: Rev, actor: Actor }), output: ActAnswer },
  ...appQueries,
  ...configQueries,
  ...usageQueries,
  ...limitQueries,
  ...dataQueries,
  ...sessionQueries,
  ...drillQueries,
  ...preferencesQueries,
  ...noticeQueries,
  ...probeQueries,
  ...demoQueries,
  ...setupQueries,
  ...trustQueries,
  ...shellQueries,
} as const;

type Queries = typeof own & typeof councilQueries & typeof fleetQueries & typeof rankingQueries;

/** Includes those of registered features. */
export const queries = { ...own } as Queries;

/** A panel loads features' schemas with its first query. */
export const registerQueries = (more: Partial<Queries>): void => void Object.assign(queries, more);

export type QueryName = keyof Queries;
export type QueryInput<Q extends QueryName> = z.input<Queries[Q]['input']>;
export type QueryOutput<Q extends QueryName> = z.output<Queries[Q]['output']>;
/** Inputs are already validated. */
export type Handlers = {
  [Q in QueryName]: (input: z.output<Queries[Q]['input']>) => QueryOutput<Q> | Promise<QueryOutput<Q>>;
};

export const pushes = {
  snapshot: Snapshot,
  notice: NoticePush,
} as const;
export type PushName = keyof typeof pushes;
export type PushData<P extends PushName> = z.output<(typeof pushes)[P]>;

/** After the first snapshot, only changes are sent. */
export const carried = { ...pushes, change: SnapshotChange } as const;
export type CarriedName = keyof typeof carried;
export type CarriedData<N extends CarriedName> = z.output<(typeof carried)[N]>;

export type LinkState = 'connecting' | 'open' | 'lost';

/** The renderer's API over Electron IPC or HTTP. */
export interface PanelApi {
  /** @throws Error with a message for the user. */
  ask<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>>;
  /** @returns a function that unsubscribes. */
  on<P extends PushName>(name: P, listener: (data: PushData<P>) => void): () => void;
  /** Reports the present state first. */
  onLink(listener: (state: LinkState) => void): () => void;
}

/** Before the panel validates responses and pushes. */
export interface PanelCarrier extends Pick<PanelApi, 'ask' | 'onLink'> {
  on<N extends CarriedName>(name: N, listener: (data: CarriedData<N>) => void): () => void;
}

export interface PanelHost {
  readonly handlers: Handlers;
  subscribe(listener: <P extends PushName>(name: P, data: PushData<P>) => void): () => void;
}

export const onPush = <P extends PushName>(
  host: Pick<PanelHost, 'subscribe'>,
  wanted: P,
  listener: (data: PushData<P>) => void,
): (() => void) =>
  host.subscribe((name, data) => {
    // TypeScript does not connect the data with the compared name.
    if (name === (wanted as PushName)) listener(data as unknown as PushData<P>);
  });

/** Answers one query from an untrusted caller; also validates the host's response. */
export async function answer(
  handlers: Handlers,
  name: string,
  input: unknown,
): Promise<{ ok: true; value: unknown } | { ok: false; code: 'unknown' | 'invalid' | 'failed'; reason: string }> {
  if (!Object.hasOwn(queries, name))
    return { ok: false, code: 'unknown', reason: `Unknown query "${name.slice(0, 80)}".` };
  const query = queries[name as QueryName];
  const parsed = query.input.safeParse(input);
  if (!parsed.success) return { ok: false, code: 'invalid', reason: failureText(parsed.error) };
  try {
    // TypeScript cannot connect the name with its handler; both schemas check it.
    const value = await (handlers[name as QueryName] as (value: unknown) => unknown)(parsed.data);
    return { ok: true, value: query.output.parse(value) };
  } catch (error) {
    return { ok: false, code: 'failed', reason: failureText(error) };
  }
}

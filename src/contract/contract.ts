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
/** Who acts, for the event log; whatever shell it is, its panel is meant unless it says otherwise. */
const Actor = z.string().min(1).max(50).default('panel');

/** Models that are asked about together. */
const MODELS_AT_ONCE = 20;

/** Questions of no feature. */
const own = {
  /** The whole truth, now. */
  'snapshot.get': { input: z.null(), output: Snapshot },
  /** Failures nobody could name, the latest first, to be taught. */
  'phrases.unknown': {
    input: PhrasePage,
    output: z.object({ entries: z.array(UnknownPhrase), total: z.int().nonnegative() }),
  },
  /** The figures of a range, or of one session with its sub-agents. */
  'scorecard.get': { input: ScorecardRange, output: ScorecardDocument },
  /** How each agent fared in a range or a session; null where single attempts are not kept. */
  'scorecard.agents': { input: ScorecardRange, output: z.array(AgentFigures).nullable() },
  /** The same as a file; CSV has one line an attempt. Refused where it would be too long for one answer. */
  'scorecard.export': {
    input: ScorecardRange.unwrap().extend({ format: z.enum(EXPORT_FORMATS) }),
    output: z.object({ name: z.string(), text: z.string() }),
  },
  /** What would have been, had agents had another chain or policy: an estimate, as good as the log is dense. */
  'what-if.play': { input: WhatIfQuestion, output: WhatIfAnswer },
  /** What one model went through; nothing for a model that nobody knows. */
  'model.history': { input: z.object({ model: z.string().max(300) }), output: ModelHistory },
  /** The states of some models over the last 24 hours, oldest first; nothing for a model that nobody knows. */
  'models.states': {
    input: z.object({ models: z.array(z.string().max(300)).max(MODELS_AT_ONCE) }),
    output: z.array(ModelHistory.pick({ states: true }).extend({ model: z.string() })),
  },
  ...eventQueries,
  /** Closes breakers and ends cooldowns; refused when the caller's `rev` is older than the model's last change. */
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
  /** What else a person does: refused as a reset is, and when nothing would come of it. */
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

/** Every question the panel may ask; those of a feature once it is registered. A new capability needs a row. */
export const queries = { ...own } as Queries;

/** Adds the questions of features: a panel loads their schemas with the first one that it asks. */
export const registerQueries = (more: Partial<Queries>): void => void Object.assign(queries, more);

export type QueryName = keyof Queries;
export type QueryInput<Q extends QueryName> = z.input<Queries[Q]['input']>;
export type QueryOutput<Q extends QueryName> = z.output<Queries[Q]['output']>;
/** What a host must answer; inputs have already been checked. */
export type Handlers = {
  [Q in QueryName]: (input: z.output<Queries[Q]['input']>) => QueryOutput<Q> | Promise<QueryOutput<Q>>;
};

/** Everything the panel may hear without asking. */
export const pushes = {
  snapshot: Snapshot,
  /** Something to show to people now, or to take away again. */
  notice: NoticePush,
} as const;
export type PushName = keyof typeof pushes;
export type PushData<P extends PushName> = z.output<(typeof pushes)[P]>;

/** What carriers bring to a panel: of snapshots, after the first, what has changed. */
export const carried = { ...pushes, change: SnapshotChange } as const;
export type CarriedName = keyof typeof carried;
export type CarriedData<N extends CarriedName> = z.output<(typeof carried)[N]>;

/** Whether the panel still hears its core. */
export type LinkState = 'connecting' | 'open' | 'lost';

/** What the renderer sees, whether Electron's IPC or the panel's HTTP bridge carries it. */
export interface PanelApi {
  /** @throws Error with a message for people when the core refuses or cannot be reached. */
  ask<Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>>;
  /** @returns a function that ends the subscription. */
  on<P extends PushName>(name: P, listener: (data: PushData<P>) => void): () => void;
  /** Reports each change of the link, and at once its present state. @returns a function that ends the subscription. */
  onLink(listener: (state: LinkState) => void): () => void;
}

/** What brings a panel its answers and news, before the panel has checked them. */
export interface PanelCarrier extends Pick<PanelApi, 'ask' | 'onLink'> {
  on<N extends CarriedName>(name: N, listener: (data: CarriedData<N>) => void): () => void;
}

/** The core behind a panel, whichever shell carries it. */
export interface PanelHost {
  readonly handlers: Handlers;
  /** Calls back with each new push; @returns a function that ends it. */
  subscribe(listener: <P extends PushName>(name: P, data: PushData<P>) => void): () => void;
}

/** Calls back with each push of one name; @returns what ends it. */
export const onPush = <P extends PushName>(
  host: Pick<PanelHost, 'subscribe'>,
  wanted: P,
  listener: (data: PushData<P>) => void,
): (() => void) =>
  host.subscribe((name, data) => {
    // The one cast: TypeScript does not tie the data to a name that was compared.
    if (name === (wanted as PushName)) listener(data as unknown as PushData<P>);
  });

/**
 * Answers one question from an untrusted asker: unknown names and bad input are refused with a message, and what the
 * host answers is checked as well.
 */
export async function answer(
  handlers: Handlers,
  name: string,
  input: unknown,
): Promise<{ ok: true; value: unknown } | { ok: false; code: 'unknown' | 'invalid' | 'failed'; reason: string }> {
  if (!Object.hasOwn(queries, name))
    return { ok: false, code: 'unknown', reason: `There is no question called "${name.slice(0, 80)}".` };
  const query = queries[name as QueryName];
  const parsed = query.input.safeParse(input);
  if (!parsed.success) return { ok: false, code: 'invalid', reason: failureText(parsed.error) };
  try {
    // The one cast: TypeScript cannot tie a looked-up name to its own handler; both schemas check it.
    const value = await (handlers[name as QueryName] as (value: unknown) => unknown)(parsed.data);
    return { ok: true, value: query.output.parse(value) };
  } catch (error) {
    return { ok: false, code: 'failed', reason: failureText(error) };
  }
}

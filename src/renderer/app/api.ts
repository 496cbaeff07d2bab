import * as z from 'zod';
import {
  type CarriedData,
  type CarriedName,
  carried,
  type LinkState,
  type PanelApi,
  type PushData,
  type PushName,
  type QueryInput,
  type QueryName,
  type QueryOutput,
  queries,
} from '../../contract/contract';
import { parseJson } from '../../contract/parse-json';
import type { Snapshot } from '../../contract/snapshot';
import { applyChange } from '../../contract/snapshot-change';
import { shellTexts } from '../../texts';

declare global {
  interface Window {
    /** Absent in a browser. */
    understudy?: Transport & Readonly<{ pathOf?(file: File): string }>;
  }
}

/** Carries unvalidated data. */
export interface Transport {
  ask(name: QueryName, input: unknown): Promise<unknown>;
  on(name: CarriedName, listener: (data: unknown) => void): () => void;
  onLink(listener: (state: LinkState) => void): () => void;
}

export type HttpParts = Readonly<{ fetch: typeof fetch; EventSource: typeof EventSource }>;

/** A local core responds in milliseconds. */
const ANSWER_LIMIT_MS = 5_000;
/** For slow queries. */
const LONG_ANSWERS_MS: Readonly<Partial<Record<QueryName, number>>> = {
  'drill.run': 100_000,
  'doctor.run': 30_000,
  'app.report': 30_000,
  // Copies up to half a gigabyte; imports years of OpenCode data.
  'data.backup': 120_000,
  'data.import': 300_000,
  'data.erase': 30_000,
  // OpenCode must start, and a model respond.
  'model.probe': 180_000,
  // Reads folders and runs programs on a busy machine.
  'setup.detect': 30_000,
  'setup.propose': 30_000,
  // Waits until a proposal changes.
  'rank.run': 40_000,
  'rank.import': 30_000,
  'rank.apply': 30_000,
  'setup.diff': 30_000,
  'setup.apply': 30_000,
  'setup.undo': 30_000,
  // Copies or fetches a repository; OpenCode must start.
  'council.plan': 60_000,
  'council.begin': 720_000,
  'council.resume': 180_000,
  'council.say': 30_000,
  'council.remove': 60_000,
  'council.run': 30_000,
  'council.transcript': 30_000,
  'council.export': 30_000,
  'demo.start': 180_000,
  'demo.stop': 30_000,
  'what-if.play': 30_000,
};

/** No response in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const Answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), reason: z.string() }),
]);

/** An invalid push is dropped, so that the last valid one stays; an invalid response rejects. */
export function checkedApi(transport: Transport): PanelApi {
  const api: PanelApi = {
    ask: async <Q extends QueryName>(name: Q, input: QueryInput<Q>): Promise<QueryOutput<Q>> => {
      if (!Object.hasOwn(queries, name)) (await import('../../contract/feature-queries')).registerFeatures();
      const answer = queries[name].output.safeParse(await transport.ask(name, input));
      if (!answer.success) throw new Error(shellTexts().answers.unreadable(name));
      return answer.data as QueryOutput<Q>;
    },
    on: <P extends PushName>(name: P, listener: (data: PushData<P>) => void) => {
      if (name !== 'snapshot') return checkedPush(transport, name, listener);
      return followSnapshots(transport, () => api.ask('snapshot.get', null), listener as (data: Snapshot) => void);
    },
    onLink: (listener) => transport.onLink(listener),
  };
  return api;
}

function checkedPush<N extends CarriedName>(
  transport: Transport,
  name: N,
  listener: (data: CarriedData<N>) => void,
): () => void {
  return transport.on(name, (raw) => {
    const push = carried[name].safeParse(raw);
    if (push.success) listener(push.data as CarriedData<N>);
  });
}

/** After a missed change, requests the whole snapshot. */
function followSnapshots(
  transport: Transport,
  ask: () => Promise<Snapshot>,
  listener: (snapshot: Snapshot) => void,
): () => void {
  let last: Snapshot | null = null;
  let isAsking = false;
  let hasEnded = false;
  const take = (snapshot: Snapshot): void => {
    last = snapshot;
    if (!hasEnded) listener(snapshot);
  };
  const askAgain = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    // silent: the check of the link shows that nobody answers
    const answer = await ask().catch(() => null);
    // Pushes received meanwhile are newer.
    if (answer && answer.rev >= (last?.rev ?? 0)) take(answer);
    isAsking = false;
  };
  const ends = [
    checkedPush(transport, 'snapshot', take),
    checkedPush(transport, 'change', (change) => {
      const next = last && applyChange(last, change);
      if (next) take(next);
      else void askAgain();
    }),
  ];
  return () => {
    hasEnded = true;
    for (const end of ends) end();
  };
}

/** Queries by POST to `rpc/<name>`; all listeners share one event stream. */
export function httpTransport(parts: HttpParts): Transport {
  const stream = sharedStream(parts.EventSource);
  return {
    ask: (name, input) => ask(parts.fetch, name, input),
    on: (name, listener) =>
      stream.use((source) => {
        const hear = (event: MessageEvent<string>) => listener(parseJson(event.data));
        source.addEventListener(name, hear);
        return () => source.removeEventListener(name, hear);
      }),
    onLink: (listener) =>
      stream.use((source) => {
        const tell = () => listener(source.readyState === source.OPEN ? 'open' : 'lost');
        listener(source.readyState === source.OPEN ? 'open' : 'connecting');
        source.addEventListener('open', tell);
        source.addEventListener('error', tell);
        return () => {
          source.removeEventListener('open', tell);
          source.removeEventListener('error', tell);
        };
      }),
  };
}

async function ask(send: typeof fetch, name: QueryName, input: unknown): Promise<unknown> {
  const sending = send(`rpc/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
    signal: AbortSignal.timeout(LONG_ANSWERS_MS[name] ?? ANSWER_LIMIT_MS),
  });
  // Also for responses that break off.
  const reply = await sending
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    // silent: NoAnswer is thrown below
    .catch(() => null);
  if (!reply) throw new NoAnswer(shellTexts().answers.unreachable);
  const answer = Answer.safeParse(parseJson(reply.text));
  if (!answer.success) throw new Error(shellTexts().answers.notUnderstood(reply.status));
  if (!answer.data.ok) throw new Error(answer.data.reason);
  return answer.data.value;
}

function sharedStream(Source: typeof EventSource) {
  let source: EventSource | null = null;
  let users = 0;
  return {
    use(attach: (source: EventSource) => () => void): () => void {
      source ??= new Source('events');
      users += 1;
      const detach = attach(source);
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        detach();
        users -= 1;
        if (users > 0) return;
        source?.close();
        source = null;
      };
    },
  };
}

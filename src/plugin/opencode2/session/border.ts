import * as z from 'zod';
import type { Away } from './away-note';
import type { HistoryEntry, HostEvent, ListedAgent, ListedModel, ModelRef, SessionInfo } from './types';

const Id = z.string().min(1).max(200);
const Model = z.lazy(() => z.object({ providerID: Id, id: Id, variant: z.string().max(200).optional() }));
const Failure = z.lazy(() =>
  z.object({ type: z.string(), message: z.string().default(''), status: z.number().optional() }),
);
const count = z.number().optional();
const Tokens = z.lazy(() =>
  z.object({
    input: count,
    output: count,
    reasoning: count,
    cache: z.object({ read: count, write: count }).optional(),
  }),
);
const Used = { cost: count, tokens: Tokens.optional() };
const IN_SESSION = { sessionID: Id };
const OF_STEP = { ...IN_SESSION, assistantMessageID: Id };

const ToolMetadata = z.lazy(() => z.object({ timeout: z.boolean().optional() }).optional().catch(undefined));

/** A form's event nests the session id, unlike others. [seen: 2.0.15] */
const FORM = z.lazy(() =>
  z
    .object({ form: z.object({ ...IN_SESSION, id: Id }) })
    .transform(({ form }) => ({ sessionID: form.sessionID, id: form.id })),
);

const LIST_EVENTS = [
  ...(['model.updated', 'provider.updated', 'agent.updated'] as const),
  ...(['credential.updated', 'credential.switched', 'integration.updated'] as const),
] as const;

const Event = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('session.created'),
      data: z.object({ ...IN_SESSION, parentID: Id.optional(), agent: Id.optional() }),
    }),
    z.object({ type: z.literal('session.renamed'), data: z.object({ ...IN_SESSION, title: z.string() }) }),
    z.object({ type: z.literal('session.deleted'), data: z.object(IN_SESSION) }),
    z.object({ type: z.literal('session.execution.started'), data: z.object(IN_SESSION) }),
    z.object({ type: z.literal('session.execution.succeeded'), data: z.object(IN_SESSION) }),
    z.object({ type: z.literal('session.execution.failed'), data: z.object({ ...IN_SESSION, error: Failure }) }),
    z.object({
      type: z.literal('session.execution.interrupted'),
      data: z.object({ ...IN_SESSION, reason: z.string().optional() }),
    }),
    z.object({
      type: z.literal('session.model.selected'),
      data: z.object({ ...IN_SESSION, model: Model, previous: Model.optional() }),
    }),
    z.object({ type: z.literal('session.step.started'), data: z.object({ ...OF_STEP, agent: Id, model: Model }) }),
    z.object({
      type: z.literal('session.step.ended'),
      data: z.object({ ...OF_STEP, finish: z.string().optional(), ...Used }),
    }),
    z.object({ type: z.literal('session.step.failed'), data: z.object({ ...OF_STEP, error: Failure, ...Used }) }),
    z.object({
      type: z.literal('session.tool.success'),
      data: z.object({ ...OF_STEP, id: Id, metadata: ToolMetadata }),
    }),
    z.object({ type: z.literal('session.tool.failed'), data: z.object({ ...OF_STEP, id: Id, error: Failure }) }),
    z.object({ type: z.literal('permission.asked'), data: z.object({ ...IN_SESSION, id: Id }) }),
    z.object({ type: z.literal('permission.replied'), data: z.object({ ...IN_SESSION, requestID: Id }) }),
    z.object({ type: z.enum(['form.replied', 'form.cancelled']), data: z.object({ ...IN_SESSION, id: Id }) }),
    z.object({ type: z.literal('form.created'), data: FORM }),
    z.object({ type: z.enum(LIST_EVENTS) }),
  ]),
);

/** Returns null for other or unexpected events. */
export function eventIn(value: unknown): HostEvent | null {
  const read = Event.safeParse(value);
  return read.success ? (read.data as HostEvent) : null;
}

const Placed = z.lazy(() => z.object({ location: z.object({ directory: z.string() }) }));

export const directoryIn = (value: unknown): string | undefined => Placed.safeParse(value).data?.location.directory;

const Message = z.custom<Request | Response>(
  (value) => typeof value === 'object' && value !== null && 'headers' in value && 'clone' in value,
);
const ASKING = { ...IN_SESSION, agent: Id, model: Model };
const FRAME = z.lazy(() => z.object({ ...ASKING, kind: Id, frame: z.string() }));
const Shapes: Readonly<Record<string, z.ZodType>> = {
  prompt: z.lazy(() => z.object({ ...IN_SESSION, messageID: Id })),
  context: z.lazy(() =>
    z.object({
      ...ASKING,
      messages: z.array(z.object({ role: z.string() })),
      tools: z.record(z.string(), z.unknown()),
    }),
  ),
  'model.request': z.lazy(() => z.object({ ...ASKING, kind: Id })),
  'http.request': z.lazy(() => z.object({ ...ASKING, kind: Id, request: Message })),
  'http.response': z.lazy(() => z.object({ ...ASKING, kind: Id, request: Message, response: Message })),
  'experimental.ws.handshake': z.lazy(() =>
    z.object({ ...ASKING, kind: Id, url: z.string(), headers: z.record(z.string(), z.string()) }),
  ),
  'experimental.ws.send': FRAME,
  'experimental.ws.receive': FRAME,
  language: z.lazy(() =>
    z.object({
      model: z.object({ providerID: Id, id: Id, modelID: Id }),
      sdk: z.custom((value) => typeof (value as { languageModel?: unknown } | null)?.languageModel === 'function'),
    }),
  ),
  retry: z.lazy(() =>
    z.object({ ...ASKING, error: Failure, attempt: z.number(), decision: z.object({ retry: z.boolean() }) }),
  ),
};

/** Does not copy the event, because hooks change it in place. */
export const isAsDocumented = (hook: string, event: unknown): boolean =>
  Shapes[hook]?.safeParse(event).success ?? false;

const Session = z.lazy(() =>
  z.object({
    id: Id,
    parentID: Id.optional(),
    agent: Id.optional(),
    model: Model.optional(),
    title: z.string().optional().catch(undefined),
  }),
);

export function sessionIn(value: unknown): SessionInfo | null {
  const read = Session.safeParse(unwrapped(value));
  return read.success ? (read.data as SessionInfo) : null;
}

export function modelIn(value: unknown): ModelRef | null {
  const read = Model.safeParse(unwrapped(value));
  return read.success ? (read.data as ModelRef) : null;
}

const Note = z.lazy(() =>
  z.object({ v: z.literal(1), home: Model, to: z.array(z.string().max(500)).max(100), at: z.number() }),
);

export function awayIn(value: unknown): Away | null {
  const read = Note.safeParse(value);
  return read.success ? (read.data as Away) : null;
}

const Scanned = z.lazy(() => z.object({ entries: z.array(z.object({ key: z.string(), value: z.unknown() })) }));

export const entriesIn = (value: unknown): readonly Readonly<{ key: string; value?: unknown }>[] =>
  Scanned.safeParse(value).data?.entries ?? [];

const Listed = z.lazy(() =>
  z.object({
    id: Id,
    providerID: Id,
    family: z.string().optional(),
    status: z.string().optional(),
    enabled: z.boolean().optional(),
    package: z.string().optional().catch(undefined),
    capabilities: z.object({ tools: z.boolean().optional(), input: z.array(z.string()).optional() }).optional(),
    cost: z.array(z.object({ input: count, output: count })).optional(),
    limit: z.object({ context: count }).optional(),
    variants: z
      .array(z.object({ id: z.string() }))
      .optional()
      .catch(undefined),
  }),
);
const Agent = z.lazy(() => z.object({ id: Id, model: Model.nullish() }));

export const modelsIn = (value: unknown): readonly ListedModel[] => all(value, Listed) as readonly ListedModel[];
export const agentsIn = (value: unknown): readonly ListedAgent[] => all(value, Agent) as readonly ListedAgent[];

function all<T>(value: unknown, schema: z.ZodType<T>): readonly T[] {
  const list = unwrapped(value);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const read = schema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}

const Entry = z.lazy(() =>
  z.object({
    type: z.string(),
    time: z.object({ created: count, completed: count }).optional().catch(undefined),
    text: z.string().optional().catch(undefined),
    content: z
      .array(
        z.object({
          type: z.string(),
          text: z.string().optional().catch(undefined),
          name: z.string().optional().catch(undefined),
          time: z.object({ created: count.optional() }).optional().catch(undefined),
          state: z
            .object({
              input: z.unknown(),
              error: z.object({ message: z.string().optional() }).optional().catch(undefined),
            })
            .optional()
            .catch(undefined),
        }),
      )
      .optional()
      .catch(undefined),
    agent: z.string().optional().catch(undefined),
    model: Model.optional().catch(undefined),
    cost: count.catch(undefined),
    tokens: Tokens.optional().catch(undefined),
    outcome: z.string().optional().catch(undefined),
  }),
);

export const historyIn = (value: unknown): readonly HistoryEntry[] => all(value, Entry) as readonly HistoryEntry[];

const Generated = z.lazy(() => z.object({ text: z.string() }));

export const generatedIn = (value: unknown): string => Generated.safeParse(unwrapped(value)).data?.text ?? '';

const Connection = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('credential'), id: Id, label: z.string(), method: z.string() }),
    z.object({ type: z.literal('env'), name: Id }),
  ]),
);
/** Contains no secret; other kinds are ignored. */
export type Connection = z.infer<typeof Connection>;

export const connectionIn = (value: unknown): Connection | null => Connection.safeParse(unwrapped(value)).data ?? null;

const Integration = z.lazy(() => z.object({ id: Id, connections: z.array(z.unknown()).default([]) }));
const Provider = z.lazy(() => z.object({ id: Id, integrationID: Id.optional() }));

/** The account in use comes first. */
export const integrationsIn = (
  value: unknown,
): readonly Readonly<{ id: string; connections: readonly Connection[] }>[] =>
  all(value, Integration).map(({ id, connections }) => ({
    id,
    connections: connections.flatMap((each) => connectionIn(each) ?? []),
  }));

export const providersIn = (value: unknown): readonly z.infer<typeof Provider>[] => all(value, Provider);

/** Keys are found by their text; a shorter one could match anything. */
export const REPLACED_MIN_CHARS = 8;
const Key = z.string().min(1).max(20_000);
const Resolved = z.lazy(() =>
  z.object({
    key: Key.optional(),
    access: Key.optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    configuration: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** Credentials and other values of an account, for immediate use only. */
export type Secret = Readonly<{ key: string; more: Readonly<Record<string, string>> }>;

export function secretIn(value: unknown): Secret | null {
  const { data } = Resolved.safeParse(unwrapped(value));
  const key = data?.key ?? data?.access;
  if (key === undefined) return null;
  const more = Object.entries({ ...data?.metadata, ...data?.configuration }).map(([name, held]) => [
    name,
    typeof held === 'string' ? held : (JSON.stringify(held) ?? ''),
  ]);
  return { key, more: Object.fromEntries(more) };
}

/** Some versions wrap results in `data`. */
const unwrapped = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'data' in value ? value.data : value;

import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../../src/contract/snapshot';
import type { RecordedRequest } from '../../../src/demo/scripted-provider';
import {
  type OpencodeEvent,
  type OpencodeMessage,
  OpencodeRequestError,
  type OpencodeSession,
  textOf,
} from '../../../src/node/opencode';
import type { App, Neighbour, Stage } from '../stage';
import { ownEvents } from './housing';
import {
  ANSWER,
  CALM,
  type Expected,
  PARTIAL,
  type Project,
  type Role,
  type Row,
  type Scene,
  type Seen,
  type Told,
} from './row';

/** Requests that do not appear within this time will not come. */
export const SETTLE_LIMIT_MS = 10_000;
const LOOK_AGAIN_MS = 250;
const MINUTE_MS = 60_000;

export const ROLES: readonly Role[] = ['lead', 'understudy', 'second'];

export type Played = Readonly<{ seen: Seen; requestsNow: () => readonly Role[] }>;

/** Plays a row in a shared project if `home` is set, else in its own, and collects the results. */
export async function play(stage: Stage, app: App, row: Row, home: Neighbour | null = null): Promise<Played> {
  const { options = {}, models, roles = ROLES, send = sendOne, expected } = row;
  const project: Project = home ?? (await stage.makeCase({ ...options, defaults: { ...CALM, ...options.defaults } }));
  project.ids.forEach((id, at) => {
    const script = models[at] === undefined ? [{ kind: 'text', text: ANSWER } as const] : models[at];
    if (script !== null) stage.provider.script(id, script);
  });
  const asked = () =>
    stage.provider.requests().filter(({ model, headers }) => project.ids.includes(model) && !isSentAgain(headers));
  const requestsNow = (): Role[] => {
    const seen = asked().flatMap(({ model }) => roles[project.ids.indexOf(model)] ?? []);
    return row.isUnordered ? seen.sort() : seen;
  };
  const all = await stage.server.events(project.directory);
  try {
    const session = await stage.server.createSession(project.directory);
    const stream = home ? ownEvents(all, session.id) : all;
    const scene: Scene = { stage, project, session, stream, roles };
    void cutWhatIsRead(scene);
    const told = await send(scene).catch((error: unknown): Told => ({ answer: '', error: String(error) }));
    const isIdle = ({ type, properties }: OpencodeEvent): boolean =>
      type === 'session.idle' && properties.sessionID === session.id;
    if (!row.isElsewhere) await stream.waitFor(isIdle, SETTLE_LIMIT_MS).catch(() => undefined);
    const history = expected.history ? await settled(() => historyOf(scene), expected.history, scene) : [];
    const lead = project.chain[roles.indexOf('lead')] ?? '';
    const isOwn = isOfRow(project, session.id);
    const health = await healthOf(app, { lead, isOwn, expected });
    return {
      seen: {
        ...told,
        ...heard(scene),
        ...health,
        requests: requestsNow(),
        isPrefilled: isPrefilled(asked().at(-1)),
        history,
      },
      requestsNow,
    };
  } finally {
    all.close();
    // A hundred open projects would take gigabytes.
    if (home === null) await stage.server.dispose(project.directory);
  }
}

/** True for any session of a separate project, or the row's session in a shared one. */
export const isOfRow =
  ({ agent, directory }: Project, own: string) =>
  (session: Readonly<{ id: string; directory: string }>): boolean =>
    agent === undefined ? session.directory === directory : session.id === own;

/**
 * Cuts waiting connections once OpenCode shows the text received over them: a connection whose end arrives with its
 * beginning reports neither.
 */
async function cutWhatIsRead({ stage, project, stream }: Scene): Promise<void> {
  const lastWord = PARTIAL.split(' ').at(-1) ?? '';
  for await (const { type, properties } of stream) {
    const part = properties.part as { type?: string } | undefined;
    const isShown = part?.type === 'tool' || JSON.stringify(properties).includes(lastWord);
    if (type.startsWith('message.part') && isShown) project.ids.forEach(stage.provider.release);
  }
}

/**
 * True for a request that was sent again on a new connection after the first was closed. A reset leads to this
 * depending on the silence before, and so on the load of the machine.
 */
export const isSentAgain = (headers: RecordedRequest['headers']): boolean => headers.connection !== 'keep-alive';

export function lookedAt(seen: Seen, expected: Expected): Expected {
  return Object.fromEntries(Object.entries(seen).filter(([key]) => key in expected));
}

export async function sendPrompt({ stage, session, project: { agent } }: Scene, text: string): Promise<Told> {
  return toldBy(await stage.server.prompt(session, { text, ...(agent ? { agent } : {}) }));
}

export function toldBy(message: OpencodeMessage): Told {
  const { error } = message.info;
  return { answer: textOf(message), error: error ? visible(`${error.name}: ${error.data?.message}`) : null };
}

export const visible = (text: string): string => text.replaceAll('\u2060', '');

const sendOne = (scene: Scene): Promise<Told> => sendPrompt(scene, 'One');

/** Every wire has the conversation as a list of entries with a role. */
export function isPrefilled(request: RecordedRequest | undefined): boolean {
  const { messages, input, contents } = (request?.body ?? {}) as Readonly<Record<string, { role?: string }[]>>;
  const role = (messages ?? input ?? contents)?.at(-1)?.role;
  return role === 'assistant' || role === 'model';
}

function heard({ stream }: Scene): Pick<Seen, 'errorsShown' | 'retries'> {
  const events = stream.seen();
  const isRetry = ({ type, properties }: (typeof events)[number]): boolean =>
    type === 'session.status' && (properties.status as { type?: string }).type === 'retry';
  return {
    errorsShown: events.filter(({ type }) => type === 'session.error').length,
    retries: events.filter(isRetry).length,
  };
}

/** Reads again after each event until the result is as expected; else returns the last result. */
export async function settled<T>(read: () => Promise<T>, wanted: T, { stream }: Pick<Scene, 'stream'>): Promise<T> {
  const giveUpAt = performance.now() + SETTLE_LIMIT_MS;
  for (;;) {
    const count = stream.seen().length;
    const value = await read();
    if (isDeepStrictEqual(value, wanted) || performance.now() > giveUpAt) return value;
    // Not `waitFor`, which searches all previous events.
    if (stream.seen().length === count) await stream.next(() => true, LOOK_AGAIN_MS).catch(() => undefined);
  }
}

/** All conversations of the project by age, with models as roles. */
async function historyOf({ stage, project, session, roles }: Scene): Promise<readonly string[]> {
  const { directory, ids } = project;
  const withRoles = (line: string): string => ids.reduce((text, id, at) => text.replaceAll(id, roles[at] ?? id), line);
  const all = await stage.server.request<readonly OpencodeSession[]>('GET', '/session', { directory });
  const own = all.filter(isOfRow(project, session.id)).sort((a, b) => (a.id < b.id ? 1 : -1));
  // The companion's self-test creates a session and deletes it.
  const gone = (error: unknown): readonly OpencodeMessage[] => {
    if (error instanceof OpencodeRequestError && error.status === 404) return [];
    throw error;
  };
  const histories = await Promise.all(own.map((session) => stage.server.messages(session).catch(gone)));
  return histories.flat().map((message) => withRoles(lineOf(message)));
}

function lineOf({ info, parts }: OpencodeMessage): string {
  const shown = parts.flatMap((part) => {
    if (part.type === 'text') return [part.text ?? ''];
    if (part.type === 'tool') return [`[${part.tool} ${(part.state as { status?: string } | undefined)?.status}]`];
    return part.type === 'reasoning' || part.type === 'compaction' ? [`[${part.type}]`] : [];
  });
  return [`${info.role}:`, ...shown, ...(info.error ? [`! ${info.error.name}`] : [])].join(' ');
}

type Health = Pick<Seen, 'lead' | 'backInMinutes' | 'switches'>;

export async function healthOf(
  app: App,
  about: Readonly<{ lead: string; isOwn: ReturnType<typeof isOfRow>; expected: Partial<Health> }>,
): Promise<Health> {
  const { lead, isOwn, expected } = about;
  const read = ({ models, sessions }: Snapshot): Health => {
    const row = models.find(({ model }) => model === lead);
    const own = sessions.filter(({ session, directory }) => isOwn({ id: session, directory }));
    const agents = own.flatMap(({ agents }) => agents);
    return {
      lead: `${row?.state ?? 'unseen'} ${row?.lastFailure?.kind ?? 'well'}`,
      // Counts from the failure: a busy machine reads the row more than half a minute later.
      backInMinutes: row?.until && row.lastFailure ? Math.round((row.until - row.lastFailure.at) / MINUTE_MS) : null,
      switches: agents.reduce((sum, agent) => sum + agent.switches, 0),
    };
  };
  const isThere = (snapshot: Snapshot): boolean => {
    const health = read(snapshot);
    return isDeepStrictEqual({ ...health, ...expected }, { ...expected, ...health });
  };
  return read(await app.until(isThere, SETTLE_LIMIT_MS).catch(() => app.snapshot()));
}

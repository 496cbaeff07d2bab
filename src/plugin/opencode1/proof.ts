import { randomBytes } from 'node:crypto';
import { DEFAULT_HEALTH, type ModelId, SWIFT } from '../../engine';
import { remember } from '../../engine/tools';
import { nodeClock } from '../../node/base/clock';
import { stateHome } from '../../node/base/state-home';
import { forgetProof, leftProofs, noteProof } from '../../node/open-proofs';
import { replyTo } from '../answer/reply';
import { wireOf } from '../answer/wire';
import { type Brain, createBrain } from '../base/brain';
import { counting } from '../base/counting';
import { limited } from '../base/guarded';
import { quietly } from '../base/quietly';
import type { BrokenFact } from '../runtime/self-check';
import type { Fetch } from './memory/fetch-wrap';
import { type Apart, type Asking, type Instance, turnsIn, withBrain } from './memory/instance';
import { pairOf, refOf } from './memory/model-ref';
import type { HistoryMessage, UserMessage } from './memory/types';
import { REPOINT_LIMIT_MS, replay } from './message/repoint';
import { holdFetch, keepBack } from './request/fetch-hook';

const TITLE = 'Understudy: a check of this OpenCode';
const SYSTEM = 'This is a check of Understudy.';
const ANSWER = 'No model was called.';
/** Failure of one model that no policy waits for: the next is usually of the same provider. */
const FAILURE = { error: { type: 'not_found_error', code: 'model_not_found', message: 'This is a check.' } };
const FAILURE_STATUS = 404;
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/understudy';

/** A longer turn proves nothing; the first takes a second, on two overloaded cores 15. */
const TURN_LIMIT_MS = 30_000;
/** One may be a stale write. */
const RETURNS_MAX = 2;
const STOP_LIMIT_MS = 5_000;
const ASK_LIMIT_MS = 10_000;
/** OpenCode may still report a finished turn as busy. */
const BUSY_LIMIT_MS = 1_000;
const BUSY_LOOK_MS = 50;

type Course = Readonly<{
  from: ModelId;
  to: ModelId;
  words: string;
  asked: ModelId[];
  now: { original: UserMessage | null; returns: number; isLate: boolean; hear: () => void; giveUp: () => void };
}>;

/** Skips a process that ends soon: there each switch is its own proof. */
export function offerProof(instance: Instance): void {
  if (instance.isGone || !instance.staysOpen || !instance.companion.isArmed()) return;
  const isFree = (): boolean => instance.working.size === 0;
  instance.companion.selfCheck.offer(instance, () => proveSwitch(instance), isFree);
}

/**
 * Lets a turn fail in a temporary session, and checks that OpenCode continues it. Only the engine and the responses
 * differ from a user's turn.
 * @returns null if unknown. Never rejects.
 */
export async function proveSwitch(instance: Instance): Promise<readonly BrokenFact[] | null> {
  const [from, to] = modelsFor(instance);
  if (from === undefined || to === undefined || instance.isGone) return null;
  const id = randomBytes(8).toString('hex');
  const now: Course['now'] = {
    original: null,
    returns: 0,
    isLate: false,
    hear: () => undefined,
    giveUp: () => undefined,
  };
  const course: Course = { from, to, words: `understudy-check-${id}`, asked: [], now };
  const proving = counting('proof', () => proveIn(instance, course, `${process.pid}-${id}`));
  // The project may close meanwhile: the session's requests must still not reach a provider.
  holdFetch(proving);
  return proving;
}

/** Prefers the default model's provider, which is loaded anyway. */
function modelsFor({ listed, defaultModel }: Instance): readonly ModelId[] {
  const provider = defaultModel === null ? '' : defaultModel.slice(0, defaultModel.indexOf('/') + 1);
  const isFirst = (model: ModelId): boolean => provider !== '' && model.startsWith(provider);
  return [...listed.provable.filter(isFirst), ...listed.provable.filter((model) => !isFirst(model))].slice(0, 2);
}

async function proveIn(instance: Instance, course: Course, name: string): Promise<readonly BrokenFact[] | null> {
  const unmarked = keepBack(course.words);
  const ended = new AbortController();
  try {
    if (!(await comesByUs(course, unmarked.hits))) return null;
    return await inOwnSession(instance, name, async (opened) => {
      const drill = drillOf(instance, course, opened.id, ended.signal);
      for (const id of new Set([opened.id, opened.top])) remember(instance.apart, id, drill);
      const before = unmarked.hits();
      const isOver = await hasEnded(instance, course, opened.id);
      if (course.asked.length === 0) return unmarked.hits() > before ? ['sees'] : null;
      if (instance.isGone) return null;
      if (course.asked.includes(course.to)) return await brokenIn(instance, course, opened.id);
      if (!isOver || course.now.isLate) return null;
      return (await canAskAgain(drill.instance, course, opened.id)) ? ['moves'] : ['moves', 'asks'];
    });
  } finally {
    ended.abort();
    unmarked.end();
  }
}

/**
 * Deletes the session; after a kill the next process does.
 * @returns null if none could be opened.
 */
export async function inOwnSession<T>(
  instance: Instance,
  name: string,
  run: (opened: Opened) => Promise<T>,
): Promise<T | null> {
  const { session } = instance.client;
  const home = stateHome();
  let opened: Opened | null = null;
  try {
    if (!(await noteProof(home, name, instance.directory))) return null;
    opened = await openSession(instance, `${TITLE} (${name})`);
    return opened && (await run(opened));
  } finally {
    // A request would reopen a closed project: the next process deletes the session.
    if (opened !== null && !instance.isGone) {
      const { id, top } = opened;
      await quietly(() => session.abort({ path: { id } }));
      const gone = await quietly(() => session.delete({ path: { id: top } }));
      if (gone !== null && !gone.error) await forgetProof(home, name);
    } else if (opened === null) await forgetProof(home, name);
  }
}

/** False if another plugin has replaced our fetch. */
async function comesByUs({ words }: Course, hits: () => number): Promise<boolean> {
  await quietly(() => globalThis.fetch(NOWHERE, { method: 'POST', body: words }));
  return hits() > 0;
}

type Opened = Readonly<{ id: string; top: string }>;

/** Opens it below another session: OpenCode would list a top-level one and announce its end. */
async function openSession({ client }: Instance, title: string): Promise<Opened | null> {
  const { data: sessions } = await client._client.get({ url: '/session', query: { limit: 1 } });
  const [newest] = Array.isArray(sessions) ? (sessions as readonly { id?: unknown }[]) : [];
  const parent =
    typeof newest?.id === 'string' ? newest.id : (await client.session.create({ body: { title } })).data?.id;
  if (parent === undefined) return null;
  const { data } = await client.session.create({ body: { parentID: parent, title } });
  return data ? { id: data.id, top: parent === newest?.id ? data.id : parent } : null;
}

/** @returns false if the turn took too long. */
async function hasEnded(instance: Instance, { from, words, now }: Course, id: string): Promise<boolean> {
  const { client } = instance;
  const text = `${SYSTEM} No model receives this message. ${words}`;
  const parts = [{ type: 'text', text }];
  const body = { model: pairOf(from), system: SYSTEM, variant: 'high', tools: { '*': false }, parts };
  const prompting = client.session.prompt({ path: { id }, body }).then(() => true);
  const givenUp = new Promise<boolean>((resolve) => {
    now.giveUp = () => resolve(false);
  });
  const isOver = await limited(Promise.race([prompting, givenUp]), TURN_LIMIT_MS);
  if (isOver !== false || instance.isGone) return isOver ?? false;
  await quietly(() => client.session.abort({ path: { id } }));
  return (await limited(prompting, STOP_LIMIT_MS)) ?? false;
}

function drillOf(instance: Instance, course: Course, session: string, ended: AbortSignal): Apart {
  const brain = throwawayBrain(instance.companion.brain, ended);
  brain.onStep((_, event) => {
    // Only shows a busy machine.
    if (event.type === 'switch.carried') course.now.isLate ||= !event.ok && event.durationMs >= REPOINT_LIMIT_MS;
  });
  const agents = { '*': { chain: [course.from, course.to], policy: SWIFT } };
  const config = { enabled: true, health: DEFAULT_HEALTH, maxFallbackDepth: 3, backupModel: null, agents };
  brain.tell({ type: 'scope.configured', directory: instance.directory, config: { ...config, onExhausted: 'error' } });
  return {
    instance: withBrain(instance, brain),
    answerFor: (asking) => answerFor(instance, course, session, asking),
    giveUp: () => course.now.giveUp(),
    system: null,
  };
}

function throwawayBrain({ now }: Brain, ended: AbortSignal): Brain {
  const { schedule } = nodeClock();
  return createBrain(now, Math.random, null, (delayMs, callback) =>
    schedule(delayMs, () => ended.aborted || callback()),
  );
}

function answerFor(instance: Instance, course: Course, session: string, { model, npm }: Asking): Fetch {
  if (model === course.from && course.asked.length > 0 && ++course.now.returns >= RETURNS_MAX) course.now.giveUp();
  return async (input) => {
    course.now.original ??= structuredClone(turnsIn(instance, session).at(-1)?.user ?? null);
    course.asked.push(model);
    course.now.hear();
    if (model === course.from) return Response.json(FAILURE, { status: FAILURE_STATUS });
    return replyTo(wireOf(String(input instanceof Request ? input.url : input), npm), ANSWER);
  };
}

async function brokenIn(instance: Instance, course: Course, id: string): Promise<readonly BrokenFact[] | null> {
  const { data: messages } = await instance.client.session.messages({ path: { id } });
  if (instance.isGone || !messages) return null;
  const left = messages.find(({ info }) => info.role === 'assistant' && refOf(info) === course.from);
  const isTidied = left !== undefined && (await isDeleted(instance, id, left.info.id));
  return [...(isKept(messages, course) ? [] : (['keeps'] as const)), ...(isTidied ? [] : (['tidies'] as const))];
}

/** True if only the model differs, and there is no other user message. */
function isKept(messages: readonly HistoryMessage[], { now: { original }, words }: Course): boolean {
  const [own, ...others] = messages.filter(({ info }) => info.role === 'user');
  if (own?.info.role !== 'user' || others.length > 0 || original === null) return false;
  const facts = ({ agent, model, system, tools, time }: UserMessage): string =>
    JSON.stringify([agent, model.variant ?? null, system ?? null, tools ?? null, time.created]);
  return facts(own.info) === facts(original) && own.parts.length === 1 && own.parts[0]?.text?.endsWith(words) === true;
}

async function isDeleted({ client }: Instance, id: string, message: string): Promise<boolean> {
  const url = '/session/{id}/message/{message}';
  for (let waitedMs = 0; waitedMs <= BUSY_LIMIT_MS; waitedMs += BUSY_LOOK_MS) {
    const { error } = await client._client.delete({ url, path: { id, message } });
    if (!error) return true;
    await new Promise((resolve) => setTimeout(resolve, BUSY_LOOK_MS).unref());
  }
  return false;
}

async function canAskAgain(instance: Instance, course: Course, session: string): Promise<boolean> {
  const turn = turnsIn(instance, session).at(-1);
  if (!turn?.user) return false;
  const hasArrived = new Promise<boolean>((resolve) => {
    course.now.hear = () => course.asked.at(-1) === course.to && resolve(true);
    course.now.giveUp = () => resolve(false);
  });
  const replayed = replay(instance, turn.user, course.to).then((ok) => (ok ? hasArrived : false));
  const isTaken = Promise.race([hasArrived, replayed]);
  return (await limited(isTaken, ASK_LIMIT_MS)) ?? false;
}

/** Deletes sessions that a killed process left in this directory. Never rejects. */
export async function sweepProofs(instance: Instance): Promise<void> {
  const { client, directory } = instance;
  const home = stateHome();
  if (instance.isGone) return;
  for (const name of await leftProofs(home, directory)) {
    const search = `${TITLE} (${name})`;
    const found = await quietly(() => client._client.get({ url: '/session', query: { search } }));
    if (!Array.isArray(found?.data)) continue;
    const sessions = (found.data as readonly { id: string; title?: string }[]).filter(({ title }) => title === search);
    for (const { id } of sessions) await quietly(() => client.session.delete({ path: { id } }));
    await forgetProof(home, name);
  }
}

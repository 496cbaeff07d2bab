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

/** What sessions of a proof are called; the name of the proof follows. */
const TITLE = 'Understudy: a check of this OpenCode';
const SYSTEM = 'This is a check of Understudy.';
const ANSWER = 'Nobody was asked this.';
/** A failure that no policy waits for, and that speaks of one model: the next one is most often of the same provider. */
const FAILURE = { error: { type: 'not_found_error', code: 'model_not_found', message: 'This is a check.' } };
const FAILURE_STATUS = 404;
/** Nobody listens there: what does not come by us goes nowhere. */
const NOWHERE = 'http://127.0.0.1:9/understudy';

/** A turn that takes longer has told nothing, in ms; the first of an OpenCode takes a second, on two overloaded cores 15. */
const TURN_LIMIT_MS = 30_000;
/** Requests for the model that was left, after which it is plain that OpenCode stays with it; one may be a stale write. */
const RETURNS_MAX = 2;
/** How long a stopped turn may take to end, in ms. */
const STOP_LIMIT_MS = 5_000;
/** How long a message that is asked again may take to reach its model, in ms. */
const ASK_LIMIT_MS = 10_000;
/** How long OpenCode may call a session busy whose turn is over, in ms. */
const BUSY_LIMIT_MS = 1_000;
const BUSY_LOOK_MS = 50;

/** One proof: who is asked first, who shall be asked next, and what has come of it. */
type Course = Readonly<{
  from: ModelId;
  to: ModelId;
  words: string;
  /** Models whose requests came by, in order. */
  asked: ModelId[];
  now: { original: UserMessage | null; returns: number; isLate: boolean; hear: () => void; giveUp: () => void };
}>;

/**
 * Offers a proof where a chain is in force. Never in a process that is about to end by itself: there each switch is its own
 * proof.
 */
export function offerProof(instance: Instance): void {
  if (instance.isGone || !instance.staysOpen || !instance.companion.isArmed()) return;
  const isFree = (): boolean => instance.working.size === 0;
  instance.companion.selfCheck.offer(instance, () => proveSwitch(instance), isFree);
}

/**
 * Has a turn fail in a session of its own, and looks whether OpenCode carries it on with the next model. All of it is what
 * happens to a turn of the user's, but for two things: its engine is thrown away, and the answers are made up here. No
 * provider is asked; nobody else hears of it; the session is gone afterwards.
 *
 * @returns what does not hold; null when that could not be found out. Never rejects.
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
  // The project may be closed meanwhile: what then still goes out of the session must not reach a provider.
  holdFetch(proving);
  return proving;
}

/** Two models whose requests surely come by us; of the default model's provider first, which is loaded in any case. */
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
      // The project was closed: nothing has been shown.
      if (instance.isGone) return null;
      if (course.asked.includes(course.to)) return await brokenIn(instance, course, opened.id);
      // OpenCode is still at it.
      if (!isOver || course.now.isLate) return null;
      return (await canAskAgain(drill.instance, course, opened.id)) ? ['moves'] : ['moves', 'asks'];
    });
  } finally {
    ended.abort();
    unmarked.end();
  }
}

/** Runs something in a session that is gone afterwards, also after a kill. @returns null where none could be opened. */
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
    // A request would open a project again that has been closed: the next process to open it deletes the session.
    if (opened !== null && !instance.isGone) {
      const { id, top } = opened;
      await quietly(() => session.abort({ path: { id } }));
      const gone = await quietly(() => session.delete({ path: { id: top } }));
      if (gone !== null && !gone.error) await forgetProof(home, name);
    } else if (opened === null) await forgetProof(home, name);
  }
}

/** Whether what is asked over fetch comes by us: another plugin may have put its own in the place of ours. */
async function comesByUs({ words }: Course, hits: () => number): Promise<boolean> {
  await quietly(() => globalThis.fetch(NOWHERE, { method: 'POST', body: words }));
  return hits() > 0;
}

/** A session, and the one it goes away with. */
type Opened = Readonly<{ id: string; top: string }>;

/** Beneath another session: one of its own would stand in OpenCode's list, and its end be announced. */
async function openSession({ client }: Instance, title: string): Promise<Opened | null> {
  const { data: sessions } = await client._client.get({ url: '/session', query: { limit: 1 } });
  const [newest] = Array.isArray(sessions) ? (sessions as readonly { id?: unknown }[]) : [];
  const parent =
    typeof newest?.id === 'string' ? newest.id : (await client.session.create({ body: { title } })).data?.id;
  if (parent === undefined) return null;
  const { data } = await client.session.create({ body: { parentID: parent, title } });
  return data ? { id: data.id, top: parent === newest?.id ? data.id : parent } : null;
}

/** The turn of the proof, to its end or until it has shown enough. @returns whether it is over; not, when it took too long. */
async function hasEnded(instance: Instance, { from, words, now }: Course, id: string): Promise<boolean> {
  const { client } = instance;
  const text = `${SYSTEM} No model is asked this. ${words}`;
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

/** The instance with an engine of its own that knows nothing but the two models, and nobody to tell. */
function drillOf(instance: Instance, course: Course, session: string, ended: AbortSignal): Apart {
  const brain = throwawayBrain(instance.companion.brain, ended);
  brain.onStep((_, event) => {
    // A busy machine, and nothing else.
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

/** The turn was moved: what is left of it as it was, and what can be tidied away? */
async function brokenIn(instance: Instance, course: Course, id: string): Promise<readonly BrokenFact[] | null> {
  const { data: messages } = await instance.client.session.messages({ path: { id } });
  if (instance.isGone || !messages) return null;
  const left = messages.find(({ info }) => info.role === 'assistant' && refOf(info) === course.from);
  const isTidied = left !== undefined && (await isDeleted(instance, id, left.info.id));
  return [...(isKept(messages, course) ? [] : (['keeps'] as const)), ...(isTidied ? [] : (['tidies'] as const))];
}

/** Whether the message is the user's own but for its model, and the only one of theirs. */
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

/** Whether the message of the turn, which is over, can be answered again by the next model. */
async function canAskAgain(instance: Instance, course: Course, session: string): Promise<boolean> {
  const turn = turnsIn(instance, session).at(-1);
  if (!turn?.user) return false;
  const heard = new Promise<boolean>((resolve) => {
    course.now.hear = () => course.asked.at(-1) === course.to && resolve(true);
    course.now.giveUp = () => resolve(false);
  });
  const replayed = replay(instance, turn.user, course.to).then((ok) => (ok ? heard : false));
  const isTaken = Promise.race([heard, replayed]);
  return (await limited(isTaken, ASK_LIMIT_MS)) ?? false;
}

/** Takes away what a process that was killed in the middle of a proof has left in this directory. Never rejects. */
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

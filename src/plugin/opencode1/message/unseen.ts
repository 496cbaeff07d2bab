import type { Decision, Evidence } from '../../../engine';
import { clock, shortName } from '../../../wording/wording';
import { evidenceOfMessage, evidenceOfResponse } from '../../answer/evidence';
import { quietly } from '../../base/quietly';
import { type Instance, turnKey, turnsIn } from '../memory/instance';
import { noteUnasked } from '../memory/learn';
import { refOf } from '../memory/model-ref';
import { noteHistory, noteLeft, type Replay, setReplay, type TurnMemory } from '../memory/turn-memory';
import type { AssistantInfo, HistoryMessage, Part, RetryStatus, SessionError, UserMessage } from '../memory/types';
import { replay } from './repoint';

const STOPPED = 'MessageAbortedError';
/** Errors that are no failure of the model, or reported elsewhere. */
const NOT_ITS_FAULT = [STOPPED, 'ContextOverflowError'];

/** OpenCode's own waits are shorter; a longer one comes from the provider. */
const OWN_BACKOFF_MS = 60_000;

/** Reports a turn without a request through fetch. After a switch the next model answers the message at idle. */
export function tellUnseen(instance: Instance, session: string, error: SessionError): void {
  const turn = unseenTurn(instance, session);
  if (!turn || (NOT_ITS_FAULT.includes(error.name ?? '') && !isOwnLimit(error))) return;
  const purpose = isReplayable(instance, turn) ? 'turn' : 'internal';
  const action = tell(instance, turn, { evidence: evidenceOf(error, refOf(turn.user.model)), purpose })?.action;
  setReplay(turn, action?.kind === 'switch' ? { from: action.from, to: action.to, failed: null } : null);
}

/** OpenCode reports its own limit like a user's stop. [seen: the dev channel, over a web socket] */
const isOwnLimit = ({ name, data }: SessionError): boolean =>
  name === STOPPED && /timed out after \d+\s?ms/.test(data?.message ?? '');

/** OpenCode retries: a turn without output ends, and the next model answers its message. */
export function tellRetried(instance: Instance, session: string, { message = '', next = 0 }: RetryStatus): void {
  const turn = unseenTurn(instance, session);
  if (!turn || turn.replay) return;
  const hintMs = next - Date.now();
  const isLong = hintMs > OWN_BACKOFF_MS;
  const isMoved = fail(instance, turn, { ...evidenceOfMessage(message), ...(isLong ? { hintMs } : {}) });
  if (isLong && !isMoved) instance.voice.warn(stays(refOf(turn.user.model), next));
}

const stays = (model: string, until: number): string =>
  `OpenCode waits for ${shortName(model)} until ${clock(until)}. Understudy cannot move this turn.`;

export function tellEmpty(instance: Instance, { id, sessionID, parentID, finish, error }: AssistantInfo): void {
  const turn = unseenTurn(instance, sessionID);
  if (turn?.message !== parentID || turn.hasBegun !== false || finish !== 'stop' || error || turn.replay) return;
  const action = switchFor(instance, turn, { phase: 'stream', observed: 'empty_response', outputChars: 0 });
  if (action) setReplay(turn, { from: action.from, to: action.to, failed: id });
}

/** A turn without output or a request through fetch times out. */
export function expectRequest(instance: Instance, turn: TurnMemory): void {
  const limitMs = instance.companion.limits().firstTokenTimeoutMs;
  clearTimeout(expected.get(turn));
  const timer = setTimeout(() => {
    if (unseenTurn(instance, turn.session) !== turn || turn.replay || instance.isGone) return;
    if (turn.hasBegun || !instance.working.has(turn.session)) return;
    const message = `no answer within ${limitMs} ms`;
    fail(instance, turn as UnseenTurn, { phase: 'headers', observed: 'timeout', message });
  }, limitMs).unref();
  expected.set(turn, timer);
}

const expected = new WeakMap<TurnMemory, NodeJS.Timeout>();

function fail(instance: Instance, turn: UnseenTurn, evidence: Evidence): boolean {
  const action = switchFor(instance, turn, evidence);
  if (action) void end(instance, turn, action);
  return action !== null;
}

/** Null without a switch. */
function switchFor(instance: Instance, turn: UnseenTurn, evidence: Evidence) {
  const purpose = isAskable(instance, turn) ? 'turn' : 'internal';
  const action = tell(instance, turn, { evidence, purpose })?.action;
  return action?.kind === 'switch' ? action : null;
}

async function end({ client }: Instance, turn: TurnMemory, { from, to }: Pick<Replay, 'from' | 'to'>): Promise<void> {
  setReplay(turn, { from, to, failed: null, isStop: true });
  const answer = await quietly(() => client.session.abort({ path: { id: turn.session } }));
  if (answer === null || answer.error !== undefined) setReplay(turn, null);
}

/** Null if one of its requests came through fetch. */
function unseenTurn(instance: Instance, session: string): UnseenTurn | null {
  const turn = turnsIn(instance, session).at(-1);
  return turn?.isNumbered && turn.ownRequests === 0 && turn.user ? (turn as UnseenTurn) : null;
}

type UnseenTurn = TurnMemory & { user: UserMessage };
type Failure = Readonly<{ evidence: Evidence; purpose: 'turn' | 'internal' }>;

function tell(instance: Instance, turn: UnseenTurn, { evidence, purpose }: Failure): Decision | undefined {
  const { companion, directory } = instance;
  const { brain } = companion;
  const { session, message, user } = turn;
  const model = refOf(user.model);
  const attempt = `${companion.instance}:${session}:${message}:unseen`;
  const about = { attempt, turn: message, session, directory, agent: user.agent, model, purpose };
  const refused = brain.decide({ type: 'attempt.started', ...about });
  if (refused) return refused;
  const named = companion.named(about, evidence);
  return brain.decide({ type: 'attempt.failed', attempt, evidence: named, durationMs: 0 });
}

function evidenceOf({ name, data }: SessionError, model: string): Evidence {
  const { statusCode: status = 0, message = 'an error without a message', responseHeaders, responseBody } = data ?? {};
  // The package found no key, and sent nothing.
  if (name === 'ProviderAuthError') return { ...evidenceOfMessage(message), mapped: { kind: 'auth' } };
  if (status < 400 || status > 599) return evidenceOfMessage(message);
  const response = new Response(null, { status, headers: new Headers(responseHeaders) });
  return evidenceOfResponse(response, responseBody ?? message, model);
}

/** False if a parent or an exiting process waits for the session's end. */
const isReplayable = (instance: Instance, { session, isPrompted }: TurnMemory): boolean =>
  isPrompted &&
  !instance.parents.has(session) &&
  !instance.exitsAtRest &&
  instance.companion.selfCheck.actuator() !== 'watch';

/** True without text or tool calls: nothing happens twice. */
export const isAskable = (instance: Instance, turn: TurnMemory): boolean =>
  turn.hasBegun === false && isReplayable(instance, turn);

export function noteBegun(instance: Instance, messages: readonly HistoryMessage[]): void {
  const user = messages.findLast(({ info }) => info.role === 'user')?.info;
  const turn = user && instance.turns.get(turnKey(user.sessionID, user.id));
  if (!turn) return;
  const isWork = ({ info, parts }: HistoryMessage): boolean =>
    info.role === 'assistant' && info.parentID === turn.message && !isEmpty(parts);
  noteHistory(turn, messages.some(isWork));
}

export function noteIfShown({ turns, writing }: Instance, part: Readonly<{ type: string; messageID?: string }>): void {
  if (!['text', 'reasoning', 'tool'].includes(part.type)) return;
  const info = writing.get(part.messageID ?? '')?.info;
  const turn = info && turns.get(turnKey(info.sessionID, info.parentID));
  if (turn) noteHistory(turn, true);
}

const isEmpty = (parts: readonly Part[]): boolean => parts.every(({ type, text }) => type !== 'tool' && !text?.trim());

/** OpenCode wrote the end of the turn; its next idle event is final. */
export function noteFailed(turn: TurnMemory, { id, error, finish, time }: AssistantInfo): void {
  if (!turn.replay) return;
  // OpenCode's own retry succeeded meanwhile.
  if (!error && finish !== undefined) setReplay(turn, null);
  // A turn that we end during OpenCode's wait has no error. [observed: 1.18.34]
  else if (error || (turn.replay.isStop && time?.completed !== undefined)) {
    const isStopped = error?.name === STOPPED && !isOwnLimit(error) && !turn.replay.isStop;
    setReplay(turn, isStopped ? null : { ...turn.replay, failed: id });
  }
}

/** @returns true if the session works again, or will at the next idle event. */
export async function replayAtIdle(instance: Instance, session: string): Promise<boolean> {
  const turn = turnsIn(instance, session).at(-1);
  if (!turn?.replay || !turn.user) return false;
  const { from, to, failed } = turn.replay;
  if (failed === null) return true;
  setReplay(turn, null);
  if (!(await removeFailed(instance, session, failed))) return false;
  const { brain } = instance.companion;
  const startedAt = brain.now();
  noteLeft(turn, from);
  const ok = await replay(instance, turn.user, to);
  if (!ok) noteUnasked(instance);
  const reason = 'OpenCode did not accept the new model';
  const durationMs = brain.now() - startedAt;
  brain.tell({ type: 'switch.carried', turn: turn.message, from, ok, durationMs, ...(ok ? {} : { reason }) });
  return ok;
}

/** A response with text or tool calls stays: the next model must see what was done. */
async function removeFailed({ client }: Instance, session: string, failed: string): Promise<boolean> {
  const query = { limit: RECENT_MESSAGES };
  const answer = await quietly(() => client.session.messages({ path: { id: session }, query }));
  const data: readonly HistoryMessage[] = answer?.data ?? [];
  const message = data.find(({ info }) => info.id === failed);
  const isNewest = data.every(({ info }) => info.id <= failed);
  if (!isNewest || !message || !isEmpty(message.parts)) return false;
  const path = { id: session, message: failed };
  const deleted = await quietly(() => client._client.delete({ url: '/session/{id}/message/{message}', path }));
  return deleted !== null && !deleted.error;
}

const RECENT_MESSAGES = 5;

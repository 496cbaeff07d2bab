import { openPrompt } from '../../runtime/user-prompts';
import { answerCall, failCall } from '../request/calls';
import { forgetAway } from '../session/away';
import { directoryIn, eventIn } from '../session/border';
import { listAnew } from '../session/catalogue';
import { evidenceOfError } from '../session/evidence';
import { type Instance, sessionOf } from '../session/instance';
import { heedSeat, instanceOf } from '../session/seats';
import { noteSelected } from '../session/switch';
import type { HostEvent, ListEvent, SessionEvent } from '../session/types';
import { countStep, countTool, noteWriter } from '../session/usage';
import { onEnded, onFailed } from './rest';

/** Delay before reconnecting, in ms; doubles up to the limit. */
const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 60_000;

/** Handles this location's events until the signal aborts, and reconnects after an end. Never rejects. */
export async function listenTo(instance: Instance, signal: AbortSignal): Promise<void> {
  const { event } = instance.context;
  for (let againMs = AGAIN_MS; !signal.aborted; againMs = Math.min(againMs * 2, AGAIN_MAX_MS)) {
    try {
      const events = event?.subscribe?.({ signal });
      if (!events) return;
      instance.hearsEnds = true;
      for await (const value of events) await hear(instance, value);
    } catch (error) {
      if (!signal.aborted) instance.voice.fail(`events: ${String(error)}`);
    }
    // Missed ends are unknown, so each session's next prompt starts a turn.
    instance.hearsEnds = false;
    for (const session of instance.sessions.values()) session.isWorking = false;
    await pause(againMs, signal);
  }
}

async function hear(instance: Instance, value: unknown): Promise<void> {
  const event = eventIn(value);
  if (!event || instance.isGone || isElsewhere(instance, value)) return;
  try {
    if (!instance.companion.brain.breaker.isOpen())
      await onEvent('data' in event ? instanceOf(instance, event.data.sessionID) : instance, event);
  } catch (error) {
    instance.companion.brain.breaker.count('event', error);
    instance.voice.fail(`${event.type}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  heedSeat(event);
}

/** OpenCode sends events of all projects, each of which has its own companion. [seen: 2.0.15] */
function isElsewhere({ directory, context }: Instance, value: unknown): boolean {
  const named = directoryIn(value);
  return named !== undefined && context.location?.directory !== undefined && named !== directory;
}

const isOfLists = (event: HostEvent): event is ListEvent => !('data' in event);

/** Never throws for a host's event. */
export async function onEvent(instance: Instance, event: HostEvent): Promise<void> {
  if (!isOfLists(event)) return onSessionEvent(instance, event);
  instance.isListWhole = true;
  // Later events do not depend on lists.
  void listAnew(instance);
}

/** These events name no location; a session unknown here belongs to another project. */
const isOthers = ({ sessions }: Instance, { type, data }: SessionEvent): boolean =>
  /^(?:session\.(?:execution\.|model\.|renamed$)|permission\.|form\.)/.test(type) && !sessions.has(data.sessionID);

async function onSessionEvent(instance: Instance, event: SessionEvent): Promise<void> {
  if (isOthers(instance, event)) return;
  const session = sessionOf(instance, event.data.sessionID);
  switch (event.type) {
    case 'session.created':
      session.parent = event.data.parentID ?? null;
      session.agent ??= event.data.agent ?? null;
      return;
    case 'session.renamed':
      if (session.parent === null) instance.companion.titled(session.id, event.data.title);
      return;
    case 'session.deleted':
      instance.sessions.delete(session.id);
      void forgetAway(instance, session);
      if (instance.companion.isArmed()) instance.companion.brain.tell({ type: 'session.closed', session: session.id });
      return;
    case 'session.execution.started':
      session.isWorking = true;
      return;
    case 'session.execution.succeeded':
      return onEnded(instance, session.id, true);
    case 'session.execution.interrupted':
      return onEnded(instance, session.id, false);
    case 'session.execution.failed':
      return onFailed(instance, session.id, event.data.error);
    case 'permission.asked':
    case 'form.created':
      return openPrompt(instance.companion, event.type, event.data);
    case 'permission.replied':
      return instance.companion.userPrompts.closed(session.id, event.data.requestID);
    case 'form.replied':
    case 'form.cancelled':
      return instance.companion.userPrompts.closed(session.id, event.data.id);
    case 'session.model.selected':
      return noteSelected(instance, session, event.data.model);
    case 'session.step.started':
      return noteWriter(instance, event.data);
    case 'session.step.ended':
    case 'session.step.failed':
      endUnseen(instance, event);
      return countStep(instance, event.data);
    case 'session.tool.success':
    case 'session.tool.failed':
      return countTool(instance, event);
  }
}

/** Reports a call without an inspected body. Ignores events of a model the session has moved from. */
function endUnseen(
  instance: Instance,
  event: Extract<SessionEvent, { type: 'session.step.ended' | 'session.step.failed' }>,
): void {
  const { sessionID, assistantMessageID } = event.data;
  const call = sessionOf(instance, sessionID).calls.get('primary');
  if (!call || call.isSeen || call.model !== instance.writers.get(assistantMessageID)?.model) return;
  if (event.type === 'session.step.failed') failCall(instance, call, evidenceOfError(event.data.error));
  else answerCall(instance, call, { firstTokenMs: null, outputChars: 0 });
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    timer.unref();
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

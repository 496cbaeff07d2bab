import { remember } from '../../../engine/tools';
import type { Brain } from '../../base/brain';
import { quietly } from '../../base/quietly';
import { type Actuator, featuresOf, levelFor } from './actuator';
import { called } from './host-calls';
import type { Instance } from './instance';
import type { ContextEvent, HostEvent, PluginContext, SessionError } from './types';

/** The session of a council's participant or a drill. */
export type Seat = {
  readonly instance: Instance;
  /** @throws Error, which the model reads, for a tool call outside the allowed files. */
  readonly guard: (tool: string, args: Record<string, unknown>) => void;
  readonly system: string;
  isAborted: boolean;
  /** The execution's error; null if it had none. */
  readonly ended: Promise<SessionError | null>;
  end(error: SessionError | null): void;
};

/** A session belongs to one location, thus to one copy of this file. */
const seats = new Map<string, Seat>();

/** The only mark of participants' sessions after OpenCode was killed. */
export const SEAT_PREFIX = 'ses_understudy_';

export function seat(
  session: string,
  given: Readonly<{ instance: Instance; brain: Brain }> & Pick<Seat, 'guard' | 'system'>,
): Seat {
  const { instance, brain, guard, system } = given;
  let end: Seat['end'] = () => undefined;
  const ended = new Promise<SessionError | null>((resolve) => {
    end = resolve;
  });
  return remember(seats, session, {
    instance: withBrain(instance, brain),
    guard,
    system,
    isAborted: false,
    ended,
    end,
  });
}

/** Keeps a newer participant's entry. */
export function unseat(session: string, seated: Seat): void {
  if (seats.get(session) === seated) seats.delete(session);
}

export const seatOf = (session: string): Seat | undefined => seats.get(session);

export const instanceOf = (instance: Instance, session: string): Instance => seats.get(session)?.instance ?? instance;

/** Returns an instance with another engine, which always acts and shows nothing. */
function withBrain(instance: Instance, brain: Brain): Instance {
  const companion = { ...instance.companion, brain, isArmed: () => true, refresh: async () => true };
  const actuator: Actuator = {
    level: () => levelFor(featuresOf(instance.context, true)),
    isProven: () => true,
    prove: () => undefined,
    distrust: () => false,
  };
  const voice = { ...instance.voice, warn: () => undefined, notify: () => undefined };
  // A caller waits for the turn's end, so the turn is not resumed.
  const own = { companion, actuator, voice, exitsAtRest: true, isSilent: true };
  // Inherits, so that it shares the original's lists and end.
  return Object.assign(Object.create(instance) as Instance, own);
}

/**
 * Sets a participant's instructions. Stops an aborted one before its model is called, and one that this process never
 * prompted: OpenCode's service resumes turns after a kill. [seen: 2.0.15]
 */
export function instruct(instance: Instance, event: ContextEvent): void | Promise<void> {
  const { sessionID } = event;
  const seated = seats.get(sessionID);
  const isUnasked = sessionID.startsWith(SEAT_PREFIX) && !instance.sessions.get(sessionID)?.turn;
  if (seated?.isAborted || (!seated && isUnasked)) return stop(instance, sessionID);
  if (seated) event.system = [{ type: 'text', text: seated.system }];
  return undefined;
}

export async function stop({ context }: Instance, sessionID: string): Promise<void> {
  await called(async () => context.session?.interrupt?.({ sessionID }));
}

export function heedSeat(event: HostEvent): void {
  if (!('data' in event)) return;
  const seated = seats.get(event.data.sessionID);
  if (event.type === 'session.execution.failed') seated?.end(event.data.error);
  if (event.type === 'session.execution.succeeded' || event.type === 'session.execution.interrupted') seated?.end(null);
  if (event.type !== 'session.deleted') return;
  seated?.end(null);
  seats.delete(event.data.sessionID);
}

const belted = new WeakMap<PluginContext, Promise<void>>();

/**
 * Adds a second guard to participants' tools. Registered only if a council runs, so that ordinary sessions run no
 * extra hook. Never rejects.
 */
export function belt({ context }: Instance): Promise<void> {
  const { tool, permission } = context;
  const belting =
    belted.get(context) ??
    Promise.all([
      quietly(async () =>
        tool?.hook?.('execute.before', (event) => {
          const { tool: name, input } = event;
          if (typeof input === 'object' && input !== null)
            seats.get(event.sessionID)?.guard(name, input as Record<string, unknown>);
        }),
      ),
      quietly(async () =>
        permission?.hook?.('evaluate', (event) => {
          // An unanswered permission would wait forever.
          if (event.effect === 'ask' && seats.has(event.sessionID)) event.effect = 'deny';
        }),
      ),
    ]).then(() => undefined);
  belted.set(context, belting);
  return belting;
}

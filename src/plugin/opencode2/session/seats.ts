import { remember } from '../../../engine/tools';
import type { Brain } from '../../base/brain';
import { quietly } from '../../base/quietly';
import { type Actuator, featuresOf, levelFor } from './actuator';
import { called } from './host-calls';
import type { Instance } from './instance';
import type { ContextEvent, HostEvent, PluginContext, SessionError } from './types';

/** A session of a participant of a council, or of a drill, while this process knows of it. */
export type Seat = {
  /** Its instance, with an engine of its own. */
  readonly instance: Instance;
  /** Keeps its tools to what it may read. @throws Error, which the participant reads. */
  readonly guard: (tool: string, args: Record<string, unknown>) => void;
  /** Its instructions, in the place of OpenCode's. */
  readonly system: string;
  /** Nobody wants to hear it any more. */
  isAborted: boolean;
  /** How its execution came out: with the error it has failed with. */
  readonly ended: Promise<SessionError | null>;
  end(error: SessionError | null): void;
};

/** By session id. A session belongs to one location, and so to this copy of the file. */
const seats = new Map<string, Seat>();

/** The beginning of a participant's session id: they are told from others by nothing else when OpenCode was killed meanwhile. */
export const SEAT_PREFIX = 'ses_understudy_';

/** Gives a session its engine and its instructions, for what it is asked next. */
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

/** The session is anybody's again, unless somebody else has been given it meanwhile. */
export function unseat(session: string, seated: Seat): void {
  if (seats.get(session) === seated) seats.delete(session);
}

export const seatOf = (session: string): Seat | undefined => seats.get(session);

/** The instance that hears of a session: a participant's own, or the real one. */
export const instanceOf = (instance: Instance, session: string): Instance => seats.get(session)?.instance ?? instance;

/** The same instance with another engine that always acts, and nobody to tell. */
function withBrain(instance: Instance, brain: Brain): Instance {
  const companion = { ...instance.companion, brain, isArmed: () => true, refresh: async () => true };
  const actuator: Actuator = {
    level: () => levelFor(featuresOf(instance.context, true)),
    isProven: () => true,
    prove: () => undefined,
    distrust: () => false,
  };
  const voice = { ...instance.voice, warn: () => undefined, notify: () => undefined };
  // Somebody waits for the end of its turn: it is not taken up after it.
  const own = { companion, actuator, voice, exitsAtRest: true, isSilent: true };
  // Not a copy: what becomes of the real one, its lists and its end, is seen here as well.
  return Object.assign(Object.create(instance) as Instance, own);
}

/**
 * In the `context` hook: a participant is sent our instructions and none of OpenCode's. One that is not to be heard any more is stopped before
 * its model is asked; so is one that nobody here has asked anything: the service of OpenCode goes on by itself with what was cut when it was
 * killed. [seen: 2.0.15]
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
 * Second belts over the rules of participants' sessions. Only where a council is played: no tool of an ordinary session comes by here otherwise.
 * Never rejects.
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
          // Nobody is there to answer, and what nobody answers waits for ever.
          if (event.effect === 'ask' && seats.has(event.sessionID)) event.effect = 'deny';
        }),
      ),
    ]).then(() => undefined);
  belted.set(context, belting);
  return belting;
}

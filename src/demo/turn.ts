import { onPush } from '../contract/contract';
import type { AgentRow, EventRow, Snapshot } from '../contract/snapshot';
import { presentOf, untilSnapshot } from './core-watch';
import type { TurnEvidence } from './evidence';
import { eventLines, type StoryLine } from './narration';
import type { StagedSession } from './opencode';
import { AGENT } from './scenario';
import type { Stage } from './stage';

const TURN_LIMIT_MS = 90_000;
/** The core receives the end of a turn at once; a longer delay is a fault. */
const NEWS_LIMIT_MS = 15_000;

export type Conversation = Readonly<{
  stage: Stage;
  session: StagedSession;
  tell(line: StoryLine): void;
  signal: AbortSignal;
}>;

/**
 * Sends a message and prints events until it is answered.
 * @throws Error with a message for people if there is no answer, or the core misses it.
 */
export async function takeTurn(conversation: Conversation, text: string): Promise<TurnEvidence> {
  const { stage, session, signal } = conversation;
  const before = await presentOf(stage.core.host);
  const turnsBefore = agentIn(before, session.id)?.turns ?? 0;
  const requestsBefore = stage.provider.requests().length;
  const listener = listenToEvents(conversation, before.events[0]?.id ?? 0);
  try {
    const answer = await askOpencode(conversation, text);
    const hasHeard = (snapshot: Snapshot): boolean => {
      const agent = agentIn(snapshot, session.id);
      return agent !== null && agent.turns > turnsBefore && agent.status !== 'working';
    };
    const what = 'The core did not receive the end of the turn';
    const after = await untilSnapshot(stage.core.host, hasHeard, { what, limitMs: NEWS_LIMIT_MS, signal });
    return {
      events: listener.finish(after),
      requests: stage.provider.requests().slice(requestsBefore),
      answeredBy: agentIn(after, session.id)?.active ?? '',
      text: answer,
      users: await session.users(),
    };
  } finally {
    listener.stop();
  }
}

function agentIn(snapshot: Snapshot, session: string): AgentRow | null {
  const rows = snapshot.sessions.find((row) => row.session === session)?.agents ?? [];
  return rows.find((row) => row.session === session && row.agent === AGENT) ?? null;
}

async function askOpencode({ session, signal }: Conversation, text: string): Promise<string> {
  const limit = AbortSignal.timeout(TURN_LIMIT_MS);
  return await session.ask(text, AbortSignal.any([signal, limit])).catch((error: unknown) => {
    signal.throwIfAborted();
    if (limit.aborted) throw new Error(`OpenCode did not finish the turn within ${TURN_LIMIT_MS / 1_000} s.`);
    throw error;
  });
}

type EventListener = Readonly<{
  /** @returns all events of the turn, oldest first. */
  finish(last: Snapshot): readonly EventRow[];
  stop(): void;
}>;

/** Prints each event once, in order, when it is complete. */
function listenToEvents({ stage, tell }: Conversation, lastId: number): EventListener {
  let toldId = lastId;
  const hear = (snapshot: Snapshot, isOver: boolean): void => {
    for (const event of snapshot.events.filter(({ id }) => id > toldId).reverse()) {
      // The duration is known only after OpenCode has switched.
      if (event.code.startsWith('switch.') && event.durationMs === null && !isOver) return;
      toldId = event.id;
      for (const line of eventLines(event, snapshot)) tell(line);
    }
  };
  const stop = onPush(stage.core.host, 'snapshot', (snapshot) => hear(snapshot, false));
  return {
    finish(last) {
      stop();
      hear(last, true);
      return last.events.filter(({ id }) => id > lastId).reverse();
    },
    stop,
  };
}

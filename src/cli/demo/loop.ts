import { setTimeout as pause } from 'node:timers/promises';
import type { OpencodeServer, OpencodeSession } from '../../node/opencode';

/** Who is asked in turn; the second shares its lead with the first, and has another understudy. */
const AGENTS = ['build', 'plan'] as const;
const PROMPTS = [
  'Who speaks the first line tonight?',
  'Read the second act once more.',
  'What is missing on the stage?',
  'And who is speaking now?',
] as const;
/** Slow enough to look around between two turns, in ms. */
const PAUSE_MS = 4_000;
const TURN_LIMIT_MS = 60_000;
/** A conversation that grows without end would fill the disk. */
const TURNS_A_SESSION = 12;

type Loop = Readonly<{ server: OpencodeServer; session: OpencodeSession; signal: AbortSignal }>;

/** Asks one question after another until it is stopped; a turn that nobody could answer is part of the play. */
export async function playLoop({ server, session, signal }: Loop): Promise<void> {
  let sessions = AGENTS.map(() => session);
  for (let turn = 0; !signal.aborted; turn++) {
    if (turn % TURNS_A_SESSION === 0)
      sessions = await Promise.all(AGENTS.map(() => server.createSession(session.directory)));
    const [agent = AGENTS[0], text = ''] = [AGENTS[turn % AGENTS.length], PROMPTS[turn % PROMPTS.length]];
    const asked = sessions[turn % AGENTS.length] ?? session;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TURN_LIMIT_MS)]);
    await server.prompt(asked, { text, agent }, limit).catch(() => undefined);
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

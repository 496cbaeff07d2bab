import { setTimeout as pause } from 'node:timers/promises';
import type { StagedOpencode, StagedSession } from './opencode';

/** Both have the same primary and different fallback models. */
const AGENTS = ['build', 'plan'] as const;
const PROMPTS = [
  'Who speaks the first line tonight?',
  'Read the second act once more.',
  'What is missing on the stage?',
  'And who is speaking now?',
] as const;
const PAUSE_MS = 4_000;
const TURN_LIMIT_MS = 60_000;
/** Longer sessions would fill the disk. */
const TURNS_A_SESSION = 12;

/** Sends prompts until stopped; failed turns are part of the demo. */
export async function playLoop(opencode: StagedOpencode, signal: AbortSignal): Promise<void> {
  let sessions: readonly StagedSession[] = [];
  for (let turn = 0; !signal.aborted; turn++) {
    if (turn % TURNS_A_SESSION === 0) sessions = await Promise.all(AGENTS.map(opencode.openSession));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TURN_LIMIT_MS)]);
    // silent: a turn without an answer is part of the demo
    await sessions[turn % AGENTS.length]?.ask(PROMPTS[turn % PROMPTS.length] ?? '', limit).catch(() => undefined);
    await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined); // silent: the demo has been stopped
  }
}

import * as z from 'zod';
import { WallMs } from './measures';
import { Id, safeText } from './text';

/** Entries per participant, and characters per text; longer texts are cut. */
export const TALK_MAX = 200;
export const TALK_TEXT_MAX = 8_000;

const Name = safeText(200);
const Talk = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), at: WallMs, text: safeText(TALK_TEXT_MAX) }),
    /** `about` is the pattern or path of the call. */
    z.object({ kind: z.literal('tool'), at: WallMs, tool: Name, about: Name, isRefused: z.boolean() }),
  ]),
);
export type Talk = z.infer<typeof Talk>;

export const CouncilAsk = z.lazy(() =>
  z.object({ type: z.literal('council.ask'), id: Id, run: safeText(60).min(1), session: Id }),
);

/** Latest entries, oldest first; null if the companion does not play the run or cannot read the session. */
export const CouncilTalk = z.lazy(() =>
  z.object({ type: z.literal('council.talk'), id: Id, talk: z.array(Talk).max(TALK_MAX).nullable() }),
);

/** Listed in a hello that accepts {@link CouncilAsk}; an older companion would disconnect. */
export const TAKES_COUNCIL = 'council.ask';
/** Listed if this OpenCode was started for a run: its sessions are not the user's. */
export const PLAYS_COUNCIL = 'council.only';

import * as z from 'zod';
import { WallMs } from './measures';
import { Id, safeText } from './text';

/** Maximum number of entries of one participant, and the longest text of one in characters; longer texts are cut. */
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
/** One statement or tool call of a council's participant, unchanged; `at` in Unix ms. */
export type Talk = z.infer<typeof Talk>;

/** Requests the session of a participant from the companion that plays the run. */
export const CouncilAsk = z.lazy(() =>
  z.object({ type: z.literal('council.ask'), id: Id, run: safeText(60).min(1), session: Id }),
);

/** The latest entries, oldest first; null if the companion does not play the run, or cannot read the session. */
export const CouncilTalk = z.lazy(() =>
  z.object({ type: z.literal('council.talk'), id: Id, talk: z.array(Talk).max(TALK_MAX).nullable() }),
);

/** A hello lists it if the companion accepts {@link CouncilAsk}; an older one would end the connection. */
export const TAKES_COUNCIL = 'council.ask';
/**
 * A hello lists it if its OpenCode was started for a run: its sessions are not the user's, and it reports nothing else.
 */
export const PLAYS_COUNCIL = 'council.only';

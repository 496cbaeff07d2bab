import * as z from 'zod';
import { WallMs } from './measures';
import { Id, safeText } from './text';

/** Entries told of one participant, and the longest text of one, in characters; what is longer is cut. */
export const TALK_MAX = 200;
export const TALK_TEXT_MAX = 8_000;

const Name = safeText(200);
const Talk = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), at: WallMs, text: safeText(TALK_TEXT_MAX) }),
    /** `about` is the pattern or the path it was called with. */
    z.object({ kind: z.literal('tool'), at: WallMs, tool: Name, about: Name, isRefused: z.boolean() }),
  ]),
);
/** What a participant of a council said or did, as it was said; `at` in Unix ms. */
export type Talk = z.infer<typeof Talk>;

/** A person looks at a participant of a run that this companion plays: what has been said in its session? */
export const CouncilAsk = z.lazy(() =>
  z.object({ type: z.literal('council.ask'), id: Id, run: safeText(60).min(1), session: Id }),
);

/** The end of it, oldest first; null where the companion does not play the run, or cannot look. */
export const CouncilTalk = z.lazy(() =>
  z.object({ type: z.literal('council.talk'), id: Id, talk: z.array(Talk).max(TALK_MAX).nullable() }),
);

/** What a companion says in its hello that heeds {@link CouncilAsk}: an older one would end the connection. */
export const TAKES_COUNCIL = 'council.ask';
/** The same of one whose OpenCode was started to play a run: no session in it is the user's, and it tells of nothing else. */
export const PLAYS_COUNCIL = 'council.only';

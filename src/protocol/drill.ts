import * as z from 'zod';
import { Ms } from './measures';
import { Directory, Id, ModelRef, safeText } from './text';

const Agent = safeText(100).min(1);

export const DrillOutcome = z.lazy(() =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), agent: Agent, from: ModelRef, to: ModelRef, tookMs: Ms }),
    z.object({ ok: z.literal(false), reason: safeText(500) }),
  ]),
);
export type DrillOutcome = z.infer<typeof DrillOutcome>;

/** Requests a drill; a null agent means OpenCode's default. */
export const DrillAsk = z.lazy(() =>
  z.object({
    type: z.literal('drill.ask'),
    id: Id,
    directory: Directory,
    agent: Agent.nullable(),
  }),
);

export const DrillAnswer = z.lazy(() => z.object({ type: z.literal('drill.answer'), id: Id, outcome: DrillOutcome }));

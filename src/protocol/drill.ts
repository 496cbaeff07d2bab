import * as z from 'zod';
import { Ms } from './measures';
import { Directory, Id, ModelRef, safeText } from './text';

const Agent = safeText(100).min(1);

/** How a drill came out, as the companion that made it saw it. */
export const DrillOutcome = z.lazy(() =>
  z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), agent: Agent, from: ModelRef, to: ModelRef, tookMs: Ms }),
    z.object({ ok: z.literal(false), reason: safeText(500) }),
  ]),
);
export type DrillOutcome = z.infer<typeof DrillOutcome>;

/** A person wants to see a made-up failure carried through; a null agent is OpenCode's default. */
export const DrillAsk = z.lazy(() =>
  z.object({
    type: z.literal('drill.ask'),
    id: Id,
    directory: Directory,
    agent: Agent.nullable(),
  }),
);

/** What came of it. */
export const DrillAnswer = z.lazy(() => z.object({ type: z.literal('drill.answer'), id: Id, outcome: DrillOutcome }));

import * as z from 'zod';

/** The longest a person may hold, pin or pause anything for, in ms; whoever wants longer says "until further notice". */
export const LONGEST_ACT_MS = 31 * 86_400_000;

/** How long an agent stays on a model where nobody says for how long, in ms. */
export const STAY_MS = 1_800_000;

/** `provider/model`, as a person may name it. */
export const ModelId = z.string().min(3).max(300);
const Agent = z.string().min(1).max(100);
/** Null is until further notice. */
const forMs = z.number().positive().max(LONGEST_ACT_MS).nullable();

/** What a person may do beside a reset, as the engine hears it. */
export const PersonAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('health.isolated'), model: ModelId }),
  z.object({ type: z.literal('health.released'), model: ModelId }),
  /** `open` keeps a model out of use, `closed` in use whatever its breaker says; null ends the hold. */
  z.object({ type: z.literal('health.held'), model: ModelId, state: z.enum(['open', 'closed']).nullable(), forMs }),
  /** A null model lets the agent go back to its chain. */
  z.object({
    type: z.literal('agent.pinned'),
    directory: z.string().max(4096),
    agent: Agent,
    model: ModelId.nullable(),
    forMs,
  }),
  z.object({ type: z.literal('switching.paused'), forMs }),
  z.object({ type: z.literal('switching.resumed') }),
  z.object({ type: z.literal('question.answered'), question: z.string().max(600), yes: z.boolean() }),
  /** A null agent brings back everybody who is left out of the session. */
  z.object({ type: z.literal('speaker.retried'), session: z.string().min(1).max(200), agent: Agent.nullable() }),
]);
export type PersonAct = z.infer<typeof PersonAct>;

/** What became of a person's act. `unwritten`: it is in force, and why it is not on the disk yet: a killed app forgets it. */
export const ActAnswer = z.discriminatedUnion('accepted', [
  z.object({ accepted: z.literal(true), rev: z.int(), unwritten: z.string().optional() }),
  z.object({ accepted: z.literal(false), reason: z.string() }),
]);
export type ActAnswer = z.infer<typeof ActAnswer>;

import * as z from 'zod';

export const LONGEST_ACT_MS = 31 * 86_400_000;

export const STAY_MS = 1_800_000;

export const ModelId = z.string().min(3).max(300);
const Agent = z.string().min(1).max(100);
/** Null: until further notice. */
const forMs = z.number().positive().max(LONGEST_ACT_MS).nullable();

/** Acts of the user, except a reset. */
export const PersonAct = z.discriminatedUnion('type', [
  z.object({ type: z.literal('health.isolated'), model: ModelId }),
  z.object({ type: z.literal('health.released'), model: ModelId }),
  /** `open` blocks the model, `closed` overrides its breaker; null ends the hold. */
  z.object({ type: z.literal('health.held'), model: ModelId, state: z.enum(['open', 'closed']).nullable(), forMs }),
  /** Null returns the agent to its chain. */
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
  /** Null: all paused agents of the session. */
  z.object({ type: z.literal('speaker.retried'), session: z.string().min(1).max(200), agent: Agent.nullable() }),
]);
export type PersonAct = z.infer<typeof PersonAct>;

/** `unwritten`: why an act in force is not on disk yet; the act is lost if the app is killed now. */
export const ActAnswer = z.discriminatedUnion('accepted', [
  z.object({ accepted: z.literal(true), rev: z.int(), unwritten: z.string().optional() }),
  z.object({ accepted: z.literal(false), reason: z.string() }),
]);
export type ActAnswer = z.infer<typeof ActAnswer>;

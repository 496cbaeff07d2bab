import * as z from 'zod';
import { Call, Checked } from '../said/calls';
import type { CouncilEvent } from './events';

// Lazy, because most processes never use a journal.

const CommandId = z.lazy(() => z.string().regex(/^c\d{1,9}$/) as z.ZodType<`c${number}`>);
const Spent = z.lazy(() => z.object({ cost: z.number().nullable(), input: z.number(), output: z.number() }));
const Speaker = z.lazy(() =>
  z.object({
    name: z.string(),
    model: z.string(),
    fallback: z.string().nullable(),
    vendor: z.string(),
    fallbackVendor: z.string().optional(),
  }),
);
const Hero = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    title: z.string(),
    examines: z.string(),
    persona: z.string(),
  }),
);

const RunSetup = z.lazy(() =>
  z.object({
    run: z.string(),
    input: z.object({ problem: z.string().nullable(), repo: z.string().nullable(), isDeep: z.boolean() }),
    overview: z.string(),
    secrets: z.array(z.string()).optional(),
    settings: z.object({
      speakers: z.array(Speaker).min(1),
      oracle: z.string(),
      heroes: z.array(z.string()).min(1),
      parallel: z.int().positive(),
      maxCost: z.number().positive().nullable(),
      retries: z.object({ perRun: z.int().nonnegative(), warnAt: z.int().nonnegative() }),
    }),
    roster: z.array(Hero),
    resets: z.record(z.string(), z.number()),
  }),
);

const Event = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('run.begun'), setup: RunSetup }),
    z.object({ type: z.literal('session.opened'), command: CommandId, session: z.string() }),
    z.object({
      type: z.literal('turn.retrying'),
      command: CommandId,
      attempt: z.int(),
      waitMs: z.number(),
      durationMs: z.number(),
      kind: z.string(),
    }),
    z.object({
      type: z.literal('turn.answered'),
      command: CommandId,
      heard: z.object({
        calls: z.array(Call),
        problems: z.array(z.string()),
        checks: z.array(Checked.nullable()),
        omitted: z.int().positive().optional(),
      }),
      spent: Spent,
    }),
    z.object({
      type: z.literal('turn.failed'),
      command: CommandId,
      fault: z.object({ kind: z.string(), message: z.string(), hintMs: z.number().nullable(), isPartial: z.boolean() }),
      spent: Spent,
    }),
    z.object({
      type: z.literal('question.answered'),
      question: z.string().optional(),
      yes: z.boolean(),
      actor: z.string(),
    }),
    z.object({ type: z.literal('speaker.retried'), name: z.string(), actor: z.string() }),
    z.object({ type: z.literal('run.stopped'), actor: z.string() }),
    z.object({ type: z.literal('run.resumed') }),
    z.object({ type: z.literal('knowledge.missed') }),
    z.object({ type: z.literal('tick') }),
  ]),
);

/** Unix ms. */
export const JournalLine = z.lazy(() =>
  z.object({ v: z.literal(1), at: z.number(), event: Event, player: z.int().positive().optional() }),
);
/** `player` numbers the writing process, from 1; absent in the first line and in older journals. */
export type JournalLine = Readonly<{ v: 1; at: number; event: CouncilEvent; player?: number | undefined }>;

export const PersonWord = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('question.answered'),
      question: z.string().max(40).optional(),
      yes: z.boolean(),
      actor: z.string().max(40),
    }),
    z.object({ type: z.literal('speaker.retried'), name: z.string().min(1).max(100), actor: z.string().max(40) }),
    z.object({ type: z.literal('run.stopped'), actor: z.string().max(40) }),
  ]),
);
export type PersonWord = z.infer<typeof PersonWord>;

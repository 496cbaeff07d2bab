import type { ModelId, Needs, Spend } from '../../engine';
import { remember } from '../../engine/tools';
import type { UsageRecorded } from '../../protocol';

/** What a first request is taken to be answered, in tokens. */
export const FIRST_OUTPUT = 1_000;
/** Conversations whose last step is remembered. */
const STEPS_MAX = 500;

/** What the last step of a conversation with a model took, in tokens. */
type LastStep = Readonly<{ sent: number; isCached: boolean; output: number }>;

export type SpendBook = Readonly<{
  /** A step has been counted. */
  add(step: Pick<UsageRecorded, 'session' | 'model' | 'tokens'>): void;
  /**
   * What the next request of a conversation takes; undefined where nothing is known of it.
   *
   * @param most what it may be answered at most, in tokens; null where it does not say.
   */
  next(
    asked: Readonly<{ session: string; model: ModelId; needs: Needs | undefined; most: number | null }>,
  ): Spend | undefined;
}>;

/** A book in which nothing stands. */
export function createSpendBook(): SpendBook {
  const steps = new Map<string, LastStep>();
  const keyOf = (session: string, model: ModelId): string => `${session}\n${model}`;
  return {
    add({ session, model, tokens }) {
      const { input, cacheRead, cacheWrite, output, reasoning } = tokens;
      const sent = input + cacheRead + cacheWrite;
      const isCached = cacheRead + cacheWrite > 0;
      remember(steps, keyOf(session, model), { sent, isCached, output: output + reasoning }, STEPS_MAX);
    },
    next({ session, model, needs, most }) {
      const last = steps.get(keyOf(session, model));
      const size = needs?.contextTokens;
      if (last === undefined && size === undefined) return undefined;
      const output = last?.output ?? FIRST_OUTPUT;
      // The last answer is a part of what is sent now; our own measure of the conversation is rough, so the larger one counts.
      const before = last === undefined || isShortened(last, size) ? 0 : last.sent + last.output;
      const input = Math.max(size ?? 0, before);
      const fresh = last?.isCached && before > 0 ? Math.max(last.output, input - last.sent) : input;
      return { input, fresh, output, most: Math.max(output, most ?? output) };
    },
  };
}

/** A conversation that is this much smaller than what was sent last was shortened in between. */
const SHORTENED = 3;

const isShortened = ({ sent }: LastStep, size: number | undefined): boolean =>
  size !== undefined && size * SHORTENED < sent;

/** How much of a request's text is looked at from either end for what it may be answered. */
const LOOKED_AT = 2_000;
const MOST = /"(?:max_(?:output_|completion_)?tokens|maxOutputTokens)"\s*:\s*(\d{1,7})\b/;

/** What a request says that it may be answered at most, in tokens; null where it does not say. */
export function mostIn(body: unknown): number | null {
  if (typeof body !== 'string') return null;
  const found = MOST.exec(body.slice(0, LOOKED_AT)) ?? MOST.exec(body.slice(-LOOKED_AT));
  return found ? Number(found[1]) : null;
}

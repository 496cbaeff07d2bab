import type { ModelId, Needs, Spend } from '../../engine';
import { remember } from '../../engine/tools';
import type { UsageRecorded } from '../../protocol';

/** Assumed output of a first request. */
export const FIRST_OUTPUT = 1_000;
const STEPS_MAX = 500;

type LastStep = Readonly<{ sent: number; isCached: boolean; output: number }>;

export type SpendBook = Readonly<{
  add(step: Pick<UsageRecorded, 'session' | 'model' | 'tokens'>): void;
  /**
   * Undefined without data.
   * @param most maximum output tokens; null if the request sets none.
   */
  next(
    request: Readonly<{ session: string; model: ModelId; needs: Needs | undefined; most: number | null }>,
  ): Spend | undefined;
}>;

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
      // The input includes the last response; the measured size is rough, so the larger number counts.
      const before = last === undefined || isShortened(last, size) ? 0 : last.sent + last.output;
      const input = Math.max(size ?? 0, before);
      const fresh = last?.isCached && before > 0 ? Math.max(last.output, input - last.sent) : input;
      return { input, fresh, output, most: Math.max(output, most ?? output) };
    },
  };
}

/** A conversation below a third of the last input counts as shortened. */
const SHORTENED = 3;

const isShortened = ({ sent }: LastStep, size: number | undefined): boolean =>
  size !== undefined && size * SHORTENED < sent;

/** Characters at either end. */
const LOOKED_AT = 2_000;
const MOST = /"(?:max_(?:output_|completion_)?tokens|maxOutputTokens)"\s*:\s*(\d{1,7})\b/;

export function mostIn(body: unknown): number | null {
  if (typeof body !== 'string') return null;
  const found = MOST.exec(body.slice(0, LOOKED_AT)) ?? MOST.exec(body.slice(-LOOKED_AT));
  return found ? Number(found[1]) : null;
}

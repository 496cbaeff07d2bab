import type { LedgerLine, ReservedLine, SpentLine } from '../../core/budget/spent';
import { type Catalogue, type ModelId, type Spend, unaccounted } from '../../engine';
import type { UsageRecorded } from '../../protocol';
import { FIRST_OUTPUT } from './spend';

export type StoredStep = Readonly<{
  model: ModelId;
  agent: string;
  /** Unix ms. */
  at: number;
  /** Undefined if it did not end. */
  endedAt: number | undefined;
  tokens: UsageRecorded['tokens'];
  cost: number | null;
}>;

/** Null if OpenCode does not respond. Never rejects. */
export type StepsOf = (session: string) => Promise<readonly StoredStep[] | null>;

type Request = Pick<ReservedLine, 'at' | 'reserved' | 'asker' | 'model'>;

/** An answered request without usage counts as free after that. */
const COUNTED_WITHIN_MS = 60_000;
/** Anthropic, Google and OpenAI charge a tenth for cached tokens. */
const CACHED_PART = 0.1;
const MILLION = 1_000_000;

export type Reservations = Readonly<{
  open(request: Request): void;
  /** The session's next usage settles it. */
  answered(id: string): void;
  /** Failed or aborted: it costs nothing. */
  drop(id: string): void;
  rest(session: string): void;
  /** The oldest of the session and model. */
  take(step: Readonly<{ session: string; model: string }>): Request | undefined;
}>;

/** @param wall Unix ms. */
export function createReservations(settle: (line: LedgerLine) => void, wall: () => number): Reservations {
  const requests = new Map<string, Request & { answeredAt: number | null }>();
  const drop = (id: string): void => {
    if (requests.delete(id)) settle({ at: wall(), settled: id });
  };
  const dropAnswered = (isMeant: (request: Request, answeredAt: number) => boolean): void => {
    for (const request of [...requests.values()])
      if (request.answeredAt !== null && isMeant(request, request.answeredAt)) drop(request.reserved);
  };
  return {
    open(request) {
      dropAnswered((_, answeredAt) => wall() - answeredAt > COUNTED_WITHIN_MS);
      requests.set(request.reserved, { ...request, answeredAt: null });
    },
    answered(id) {
      const request = requests.get(id);
      if (request) request.answeredAt = wall();
    },
    drop,
    rest: (session) => dropAnswered(({ asker }) => asker === session),
    take({ session, model }) {
      const found = [...requests.values()].find((request) => request.asker === session && request.model === model);
      if (found) requests.delete(found.reserved);
      return found;
    },
  };
}

export function expectedTokens({
  input = 0,
  fresh = 0,
  output = FIRST_OUTPUT,
}: Partial<Spend>): UsageRecorded['tokens'] {
  return { input: fresh, cacheRead: Math.max(0, input - fresh), output, reasoning: 0, cacheWrite: 0 };
}

/** US dollars; null without a price. */
export function expectedCost(
  { input, cacheRead, output }: UsageRecorded['tokens'],
  model: ModelId,
  catalogue: Catalogue | undefined,
): number | null {
  const { priceIn, priceOut } = (catalogue && Object.hasOwn(catalogue, model) ? catalogue[model] : undefined) ?? {};
  if (priceIn === undefined || priceOut === undefined) return null;
  return ((input + cacheRead * CACHED_PART) * priceIn + output * priceOut) / MILLION;
}

/** Longest delay between a reservation and the stored start of its step. */
const STORED_WITHIN_MS = 60_000;

/** The newest step of the model that had not ended before; null without usage. */
function stepOf({ at, model }: ReservedLine, steps: readonly StoredStep[]): StoredStep | null {
  const step = steps
    .filter(
      (each) => each.model === unaccounted(model) && each.at < at + STORED_WITHIN_MS && (each.endedAt ?? at) >= at,
    )
    .toSorted((a, b) => b.at - a.at)[0];
  return step && Object.values(step.tokens).some((count) => count > 0) ? step : null;
}

/** `settle` gets null without a stored step. Without a response the request stays open. */
export async function settleEach(
  lost: () => Promise<readonly ReservedLine[]>,
  { directory, stepsOf }: Readonly<{ directory: string; stepsOf: StepsOf }>,
  settle: (line: ReservedLine, step: StoredStep | null) => void,
): Promise<void> {
  const own = (await lost()).filter(({ estimate }) => estimate.directory === directory);
  if (own.length === 0) return;
  const answers = await Promise.all(own.map(async (line) => ({ line, steps: await stepsOf(line.asker) })));
  // Another process may have settled some meanwhile.
  const open = new Set((await lost()).map(({ reserved }) => reserved));
  const used = new Set<string>();
  for (const { line, steps } of answers) {
    if (steps === null || !open.has(line.reserved)) continue;
    const step = stepOf(line, steps);
    const name = `${line.asker} ${step?.at}`;
    settle(line, used.has(name) ? null : step);
    used.add(name);
  }
}

export const atEstimate = ({ reserved, estimate }: ReservedLine): SpentLine => ({ ...estimate, settles: reserved });

import type { LedgerLine, ReservedLine, SpentLine } from '../../core/budget/spent';
import { type Catalogue, type ModelId, type Spend, unaccounted } from '../../engine';
import type { UsageRecorded } from '../../protocol';
import { FIRST_OUTPUT } from './spend';

/** A step of a conversation, as OpenCode has stored it. */
export type StoredStep = Readonly<{
  model: ModelId;
  agent: string;
  /** When it began, Unix ms. */
  at: number;
  /** When it ended; undefined where it did not. */
  endedAt: number | undefined;
  tokens: UsageRecorded['tokens'];
  cost: number | null;
}>;

/** The stored steps of a session; null where OpenCode does not answer. Never rejects. */
export type StepsOf = (session: string) => Promise<readonly StoredStep[] | null>;

type Request = Pick<ReservedLine, 'at' | 'reserved' | 'asker' | 'model'>;

/** A request that has ended waits so long for its usage, in ms: it counts as free after that. */
const COUNTED_WITHIN_MS = 60_000;
/** A tenth of the price, as Anthropic, Google and OpenAI ask for tokens that they have cached. */
const CACHED_PART = 0.1;
const MILLION = 1_000_000;

/** The requests of this process that its ledger holds open. */
export type Reservations = Readonly<{
  /** A request is about to leave. */
  open(request: Request): void;
  /** Its provider has answered: the next usage of its session settles it. */
  answered(id: string): void;
  /** It failed or was stopped: nothing is counted for it. */
  drop(id: string): void;
  /** A session rests: what it asked and nobody counted was free. */
  rest(session: string): void;
  /** The reservation that a step settles: the oldest of its session and model. */
  take(step: Readonly<{ session: string; model: string }>): Request | undefined;
}>;

/** @param settle writes a line of the ledger. @param wall Unix ms. */
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

/** The tokens that a request is expected to use, as OpenCode counts them. */
export function expectedTokens({
  input = 0,
  fresh = 0,
  output = FIRST_OUTPUT,
}: Partial<Spend>): UsageRecorded['tokens'] {
  return { input: fresh, cacheRead: Math.max(0, input - fresh), output, reasoning: 0, cacheWrite: 0 };
}

/** US dollars for these tokens by OpenCode's list of models; null where it has no price. */
export function expectedCost(
  { input, cacheRead, output }: UsageRecorded['tokens'],
  model: ModelId,
  catalogue: Catalogue | undefined,
): number | null {
  const { priceIn, priceOut } = (catalogue && Object.hasOwn(catalogue, model) ? catalogue[model] : undefined) ?? {};
  if (priceIn === undefined || priceOut === undefined) return null;
  return ((input + cacheRead * CACHED_PART) * priceIn + output * priceOut) / MILLION;
}

/** How much later than its reservation OpenCode may store the beginning of a step, in ms. */
const STORED_WITHIN_MS = 60_000;

/** The stored step of a request that was left open: the newest of its model that had not ended before. Null where it has no usage. */
function stepOf({ at, model }: ReservedLine, steps: readonly StoredStep[]): StoredStep | null {
  const step = steps
    .filter(
      (each) => each.model === unaccounted(model) && each.at < at + STORED_WITHIN_MS && (each.endedAt ?? at) >= at,
    )
    .toSorted((a, b) => b.at - a.at)[0];
  return step && Object.values(step.tokens).some((count) => count > 0) ? step : null;
}

/**
 * Settles the requests of a directory that processes left open when they ended: `settle` gets each with its stored step, null where that
 * is not known. What OpenCode does not answer for stays open.
 */
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

/** A reservation that counts at its estimate for good. */
export const atEstimate = ({ reserved, estimate }: ReservedLine): SpentLine => ({ ...estimate, settles: reserved });

import { INTERNAL_AGENTS } from '../../contract/opencode-agents';
import type { ReservedLine, SpentLine } from '../../core/budget/spent';
import { costBy, costOfTokens, type Repriced } from '../../core/config';
import { accountFor, type Catalogue, type EngineState, providerOf, unaccounted } from '../../engine';
import { rootOf } from '../../engine/tools';
import { lostRequests } from '../../node/data/lost-requests';
import type { Spending } from '../../node/data/spending';
import type { UsageRecorded } from '../../protocol';
import type { Brain } from '../base/brain';
import type { JournalEntry } from '../base/journal';
import {
  atEstimate,
  createReservations,
  expectedCost,
  expectedTokens,
  type StepsOf,
  type StoredStep,
  settleEach,
} from './reservations';
import type { SpendBook } from './spend';

/** Records requests before they are sent, and settles them with their usage. */
export type Book = Readonly<{
  /** Prices that replace the project's; null for OpenCode's cost. */
  follow(directory: string, repriced: Repriced | null): void;
  list(directory: string, catalogue: Catalogue): void;
  /**
   * Settles requests of earlier processes; without stored usage at their estimate. Never rejects.
   * @param stepsOf null if OpenCode does not respond: the next start retries.
   */
  settleLost(directory: string, stepsOf: StepsOf): Promise<void>;
}>;

type Options = Readonly<{
  home: string;
  instance: string;
  spending: Pick<Spending, 'add'>;
  spendOf: SpendBook['next'];
  wall: () => number;
  onCounted: () => void;
}>;

type EventOf<Type extends JournalEntry['event']['type']> = Extract<JournalEntry['event'], { type: Type }>;
type Used = Omit<UsageRecorded, 'type' | 'turn'>;

export function keepBook(brain: Brain, { home, instance, spending, spendOf, wall, onCounted }: Options): Book {
  const reservations = createReservations((line) => spending.add(line), wall);
  const repriced = new Map<string, Repriced>();
  const catalogues = new Map<string, Catalogue>();
  let found: ReservedLine | null = null;
  const lineOf = (used: Used, at: number): SpentLine =>
    spentLine(used, repriced.get(used.directory), { state: brain.state(), at });

  const reserve = (event: EventOf<'attempt.started'>): void => {
    const { attempt: reserved, session: asker, turn, model, agent, directory, needs } = event;
    const isInternal = INTERNAL_AGENTS.has(agent);
    // OpenCode stores and reports no usage of its titles.
    if (event.decided?.kind !== 'keep' || (isInternal && agent !== 'compaction')) return;
    const tokens = expectedTokens(event.spend ?? spendOf({ session: asker, model, needs, most: null }) ?? {});
    const cost = expectedCost(tokens, model, catalogues.get(directory));
    const at = wall();
    const purpose = isInternal ? 'internal' : 'turn';
    const estimate = lineOf({ session: asker, model, agent, directory, purpose, tokens, cost }, at);
    spending.add({ at, reserved, by: instance, asker, turn, model, estimate });
    reservations.open({ at, reserved, asker, model });
  };
  const count = (event: UsageRecorded): void => {
    const settles = (found ?? reservations.take(event))?.reserved;
    const line = { ...lineOf(event, wall()), ...(settles === undefined ? {} : { settles }) };
    spending.add(found ? { ...line, at: found.at, session: found.estimate.session } : line, wall());
    onCounted();
  };
  const noteStored = (line: ReservedLine, { agent, tokens, cost }: StoredStep): void => {
    const { asker: session, turn, model, estimate } = line;
    const purpose = estimate.for === 'internal' ? 'internal' : 'turn';
    const { directory } = estimate;
    found = line;
    brain.note({ type: 'usage.recorded', session, turn, model, directory, purpose, agent, tokens, cost });
    found = null;
  };
  const lost = () => lostRequests(home, { own: instance, now: wall() });
  brain.onEntry(({ event }) => {
    switch (event.type) {
      case 'attempt.started':
        return reserve(event);
      case 'attempt.failed':
        return reservations.drop(event.attempt);
      // OpenCode may report the usage of an aborted request too.
      case 'attempt.aborted':
      case 'attempt.succeeded':
        return reservations.answered(event.attempt);
      case 'session.idle':
      case 'session.closed':
        return reservations.rest(event.session);
      case 'usage.recorded':
        return count(event);
    }
  });
  return {
    follow(directory, prices) {
      if (prices === null) repriced.delete(directory);
      else repriced.set(directory, prices);
    },
    list: (directory, catalogue) => void catalogues.set(directory, catalogue),
    settleLost: (directory, stepsOf) =>
      settleEach(lost, { directory, stepsOf }, (line, step) => {
        if (step === null) spending.add(atEstimate(line), wall());
        else noteStored(line, step);
      }),
  };
}

function spentLine(
  { purpose, model, agent, directory, tokens, ...used }: Used,
  repriced: Repriced | undefined,
  { state, at }: Readonly<{ state: EngineState; at: number }>,
): SpentLine {
  const cost = repriced && costBy(repriced, model);
  const [provider, account] = [unaccounted(providerOf(model)), accountFor(state, directory, model)];
  return {
    at,
    for: purpose,
    provider,
    agent,
    directory,
    session: rootOf(state, used.session),
    tokens: Object.values(tokens).reduce((sum, count) => sum + count, 0),
    cost: cost === undefined ? used.cost : cost && costOfTokens(cost, tokens),
    ...(account === provider ? {} : { account }),
  };
}

import type { Handlers } from '../../contract/contract';
import type { CouncilQuery } from '../../features/council/contract/council';
import type { CouncilRunRow } from '../../features/council/contract/council-run';

/** Reads, plays and ends all councils of this user. */
export type CouncilPort = Readonly<{
  /** Runs for the snapshot, the newest first. */
  rows(): readonly CouncilRunRow[];
  /**
   * Calls back when a run has changed.
   * @returns a function that unsubscribes.
   */
  onChange(listener: () => void): () => void;
  handlers: Pick<Handlers, CouncilQuery>;
}>;

const NO_COUNCIL = 'This Understudy cannot play councils.';

/** Answers the queries about councils; rejects them without a port. */
export function councilHandlers(council: CouncilPort | null): CouncilPort['handlers'] {
  if (council !== null) return council.handlers;
  const refused = () => ({ ok: false as const, reason: NO_COUNCIL });
  return {
    'council.runs': () => ({ runs: [], whyNot: NO_COUNCIL }),
    'council.run': () => null,
    'council.transcript': () => null,
    'council.plan': refused,
    'council.begin': refused,
    'council.resume': refused,
    'council.say': refused,
    'council.remove': refused,
    'council.export': refused,
  };
}

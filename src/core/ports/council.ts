import type { Handlers } from '../../contract/contract';
import type { CouncilQuery } from '../../features/council/contract/council';
import type { CouncilRunRow } from '../../features/council/contract/council-run';

/** Who reads, plays and ends councils of this user, whoever has called them. */
export type CouncilPort = Readonly<{
  /** Runs for the snapshot, the newest first. */
  rows(): readonly CouncilRunRow[];
  /** Calls back when one of them is another than before. @returns what ends it. */
  onChange(listener: () => void): () => void;
  handlers: Pick<Handlers, CouncilQuery>;
}>;

const NO_COUNCIL = 'This Understudy cannot play councils.';

/** Answers what is asked of councils; a core that has none says so. */
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

import type { Handlers } from '../../contract/contract';
import type { CouncilQuery } from '../../features/council/contract/council';
import type { CouncilRunRow } from '../../features/council/contract/council-run';

export type CouncilPort = Readonly<{
  /** The newest first. */
  rows(): readonly CouncilRunRow[];
  onChange(listener: () => void): () => void;
  handlers: Pick<Handlers, CouncilQuery>;
}>;

const NO_COUNCIL = 'This Understudy cannot run councils.';

/** Rejects all queries without a port. */
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

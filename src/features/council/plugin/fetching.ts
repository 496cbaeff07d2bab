import { countAs } from '../../../core/base/internal-errors';
import { failureText, type Outcome } from '../../../node/base/failure';
import { makeRun, type Plan } from '../node/prepare';
import { type Place, removeRun } from '../node/run-folder';

/** A repository that is being fetched for a run, while its session goes on. */
type Fetch = Readonly<{
  name: string;
  directory: string;
  ending: AbortController;
  /** So much of it is there, in bytes. */
  bytes(): number;
  over: Promise<void>;
}>;

/** What is being fetched, by the session that asked for it. */
const fetches = new Map<string, Fetch>();

/** What is being fetched for a session; null where nothing is. */
export const fetchOf = (session: string): Fetch | null => fetches.get(session) ?? null;

/**
 * Begins to fetch what a run is about. Never throws.
 *
 * @param made hears once what has come of it, and plays the run; not of one that was ended.
 */
export function beginFetch(
  session: string,
  plan: Plan,
  made: (outcome: Outcome<{ place: Place }>) => Promise<void>,
): void {
  const ending = new AbortController();
  let bytes = 0;
  const onBytes = (so: number): void => {
    bytes = so;
  };
  const { home, directory } = plan.wanted;
  const work = async (): Promise<void> => {
    const outcome = await makeRun(plan, { signal: ending.signal, onBytes }).catch((error: unknown) => ({
      ok: false as const,
      reason: failureText(error),
    }));
    fetches.delete(session);
    if (!ending.signal.aborted) await made(outcome);
    else if (outcome.ok) await removeRun(home, outcome.place.run);
  };
  const over = work().catch(countAs('council.fetch'));
  fetches.set(session, { name: plan.address?.name ?? '', directory, ending, bytes: () => bytes, over });
}

/** Ends what is fetched for the sessions of a directory that OpenCode closes. Never rejects. */
export async function leaveFetches(directory: string): Promise<void> {
  const those = [...fetches.values()].filter((fetch) => fetch.directory === directory);
  for (const { ending } of those) ending.abort();
  await Promise.all(those.map(({ over }) => over));
}

import { countAs } from '../../../core/base/internal-errors';
import { failureText, type Outcome } from '../../../node/base/failure';
import { makeRun, type Plan } from '../node/prepare';
import { type Place, removeRun } from '../node/run-folder';

type Fetch = Readonly<{
  name: string;
  directory: string;
  ending: AbortController;
  bytes(): number;
  over: Promise<void>;
}>;

const fetches = new Map<string, Fetch>();

export const fetchOf = (session: string): Fetch | null => fetches.get(session) ?? null;

/**
 * Never throws.
 * @param made not called after an abort.
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

/** Never rejects. */
export async function leaveFetches(directory: string): Promise<void> {
  const those = [...fetches.values()].filter((fetch) => fetch.directory === directory);
  for (const { ending } of those) ending.abort();
  await Promise.all(those.map(({ over }) => over));
}

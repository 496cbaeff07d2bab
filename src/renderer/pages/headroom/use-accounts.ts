import type { AccountRow } from '../../../contract/headroom';
import { accountsAt, nextTurnOf } from '../../../wording/headroom-page-words';
import { useCoreNow, usePanel, useSnapshot, useStale } from '../../app/panel';
import { coreNow } from '../../app/store';

/** The accounts as they are known now, and what time that is, in wall-clock ms of the core; both go on while nothing is heard. */
export function useAccounts(): Readonly<{ accounts: readonly AccountRow[]; now: number }> {
  const { headroom } = useSnapshot();
  const { store } = usePanel();
  const { cause } = useStale();
  // Without the core nobody knows what it has heard since; OpenCode that has gone says nothing more, and its windows go on.
  const isKnown = cause !== 'link';
  const now = useCoreNow(isKnown ? nextTurnOf(headroom, coreNow(store.getState())) : undefined);
  return { accounts: accountsAt(headroom, now), now };
}

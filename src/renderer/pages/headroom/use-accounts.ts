import type { AccountRow } from '../../../contract/headroom';
import { accountsAt, nextTurnOf } from '../../../wording/headroom-page-words';
import { useCoreNow, usePanel, useSnapshot, useStale } from '../../app/panel';
import { coreNow } from '../../app/store';

/** `now` is the core's wall clock, in ms. */
export function useAccounts(): Readonly<{ accounts: readonly AccountRow[]; now: number }> {
  const { headroom } = useSnapshot();
  const { store } = usePanel();
  const { cause } = useStale();
  // Without the core, new reports may be missing; without OpenCode there are none, and windows continue.
  const isKnown = cause !== 'link';
  const now = useCoreNow(isKnown ? nextTurnOf(headroom, coreNow(store.getState())) : undefined);
  return { accounts: accountsAt(headroom, now), now };
}

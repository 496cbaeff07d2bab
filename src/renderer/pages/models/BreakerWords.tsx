import type { ModelRow } from '../../../contract/snapshot';
import { breakerPhrase } from '../../../wording/model-words';
import { useCoreNow, useStale } from '../../app/panel';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export function BreakerWords({ row }: Readonly<{ row: ModelRow }>) {
  const { since, until } = row;
  const { cause } = useStale();
  const isTimed = !cause && since !== null && until !== null;
  const isShort = isTimed && until - since < 2 * MINUTE_MS;
  const now = useCoreNow(isTimed ? until : undefined, isShort ? SECOND_MS : undefined);
  return <>{breakerPhrase(row, now)}</>;
}

import { useEffect, useMemo, useRef, useState } from 'react';
import type { ModelRow } from '../../../contract/snapshot';
import type { ModelUse } from '../../../contract/usage';
import { useAnswer } from '../../app/asked';
import { useCoreNow, useStale } from '../../app/panel';
import type { TimeRange } from '../../app/shared-time';
import { runLater } from '../../app/visible';
import { rangeText } from '../../components/time/range';

/** Minimum time between queries. */
const ASK_MS = 5_000;
const MINUTE_MS = 60_000;

/** Null before a response. */
export function useModelUses(range: TimeRange, models: readonly ModelRow[]): readonly ModelUse[] | null {
  const { cause } = useStale();
  const isHeard = cause !== 'link';
  const minute = Math.floor(useCoreNow(isHeard ? null : undefined) / MINUTE_MS);
  const calls = useSettled(models.reduce((sum, row) => sum + row.calls + row.failed, 0));
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const key = `${rangeText(range)} ${calls} ${minute}`;
  const { answer } = useAnswer('usage.models', isHeard ? { range, timeZone } : null, key);
  // Unchanged objects do not rerender their tiles.
  const shared = useRef<readonly ModelUse[]>([]);
  const uses = useMemo(() => {
    if (!answer) return null;
    const existing = new Map(shared.current.map((use) => [use.model, use]));
    shared.current = answer.models.map((use) => {
      const before = existing.get(use.model);
      return before && isSame(before, use) ? before : use;
    });
    return shared.current;
  }, [answer]);
  // Ignores figures of another range.
  return answer && isSame(answer.question.range, range) ? uses : null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const take = () => {
      last.current = performance.now();
      setSettled(value);
    };
    const leftMs = last.current + ASK_MS - performance.now();
    return leftMs <= 0 ? take() : runLater(take, leftMs);
  }, [value]);
  return settled;
}

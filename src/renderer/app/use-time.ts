import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { usePanel } from './panel';
import type { TimeRange } from './shared-time';

/** The range chosen in any view; null for none. */
export function useSharedTime(): readonly [range: TimeRange | null, choose: (range: TimeRange | null) => void] {
  const { time } = usePanel();
  return [useStore(time, ({ range }) => range), useCallback((range) => time.setState({ range }), [time])];
}

/** The range that an address names, which then counts in every view; else what was chosen in another one, else the usual one. */
export function useTimeOf(named: TimeRange | null, usual: TimeRange): TimeRange {
  const [shared, choose] = useSharedTime();
  useEffect(() => {
    if (named) choose(named);
  }, [named, choose]);
  return named ?? shared ?? usual;
}

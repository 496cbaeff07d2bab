import { useCallback, useEffect } from 'react';
import { useStore } from 'zustand';
import { usePanel } from './panel';
import type { TimeRange } from './shared-time';

export function useSharedTime(): readonly [range: TimeRange | null, choose: (range: TimeRange | null) => void] {
  const { time } = usePanel();
  return [useStore(time, ({ range }) => range), useCallback((range) => time.setState({ range }), [time])];
}

/** An address's range becomes the shared one; else the shared range, else `usual`. */
export function useTimeOf(named: TimeRange | null, usual: TimeRange): TimeRange {
  const [shared, choose] = useSharedTime();
  useEffect(() => {
    if (named) choose(named);
  }, [named, choose]);
  return named ?? shared ?? usual;
}

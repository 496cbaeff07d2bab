import { useEffect, useRef } from 'react';
import { usePanel } from '../panel';
import type { Command } from './registry';

/** Contributes commands for as long as the component is on the page. `source` is asked anew each time. */
export function useCommands(source: () => readonly Command[]): void {
  const { commands } = usePanel();
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  useEffect(() => commands.add(() => latest.current()), [commands]);
}

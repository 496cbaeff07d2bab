import { useEffect, useRef } from 'react';
import { usePanel } from '../panel';
import type { Command } from './registry';

export function useCommands(source: () => readonly Command[]): void {
  const { commands } = usePanel();
  const latest = useRef(source);
  useEffect(() => {
    latest.current = source;
  });
  useEffect(() => commands.add(() => latest.current()), [commands]);
}

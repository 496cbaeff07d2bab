import { performance } from 'node:perf_hooks';
import process from 'node:process';

export type Deed = 'click' | 'drag' | 'key';

export function startJourney(name: string) {
  const began = performance.now();
  const done: Record<Deed, number> = { click: 0, drag: 0, key: 0 };
  return {
    did(deed: Deed): void {
      done[deed] += 1;
    },
    /** Prints a summary. @returns the number of each action that occurred. */
    end(): Partial<Record<Deed, number>> {
      const seconds = (performance.now() - began) / 1_000;
      const counts = Object.entries(done).filter(([, count]) => count > 0);
      const hands = counts.map(([deed, count]) => `${count} ${deed}${count === 1 ? '' : 's'}`).join(', ');
      process.stdout.write(`Journey, ${name}: ${hands}, ${seconds.toFixed(1)} s\n`);
      return Object.fromEntries(counts);
    },
  };
}

import { countAs } from '../../core/base/internal-errors';
import type { Triage } from '../../core/config';
import { createSessionEnds } from '../../core/history/session-ends';
import type { Clock } from '../../core/ports/ports';
import { machineUptime } from '../../node/base/clock';
import { isNoted } from '../../protocol';
import type { Brain } from '../base/brain';
import { loadPart } from '../base/part';
import type { Counted, ReportParts, ReportWriter } from './report-writer';

const BATCH_MS = 50;

export type SessionReports = Readonly<{
  follow(directory: string, triage: Triage | null): void;
  /** Resolves when the reports are written. Never rejects. */
  leave(directory: string): Promise<void>;
}>;

export function openSessionReports(brain: Brain, parts: ReportParts): SessionReports {
  const clock: Clock = { now: brain.now, wall: Date.now, uptime: machineUptime, schedule: parts.schedule };
  const triages = new Map<string, Triage>();
  const waiting: Counted[] = [];
  let cancel: (() => void) | null = null;
  let loading: Promise<ReportWriter | null> | null = null;
  let work: Promise<unknown> = Promise.resolve();

  /** Runs in order, after the part has loaded. */
  const withWriter = (use: (writer: ReportWriter) => unknown): void => {
    work = work
      .then(() => loading)
      .then((writer) => writer && use(writer))
      // An error here must not fail OpenCode.
      .catch(countAs('session.report'));
  };
  const count = (): void => {
    cancel?.();
    cancel = null;
    const counted = waiting.splice(0);
    if (counted.length > 0) withWriter((writer) => writer.take(counted));
  };
  const report = (session: string, directory: string): void => {
    const triage = triages.get(directory);
    if (!triage || parts.hasApp()) return;
    count();
    withWriter((writer) => writer.write({ session, directory, triage }));
  };
  const add = (counted: Counted): void => {
    waiting.push(counted);
    // The request that just failed does not wait for it.
    cancel ??= clock.schedule(BATCH_MS, count);
  };
  const ends = createSessionEnds(clock, report);
  brain.onStep((step, event) => {
    if (triages.size === 0) return;
    const now = brain.now();
    add({ step, event, state: brain.state(), now, wall: clock.wall() });
    ends.hear({ event, now });
  });
  brain.onEntry(({ event }) => {
    if (isNoted(event) && triages.size > 0) add({ step: null, event, state: brain.state(), wall: clock.wall() });
  });
  const load = async (): Promise<ReportWriter> => (await import('./report-writer')).openReportWriter(clock, parts);
  return {
    follow(directory, triage) {
      if (!triage?.isEnabled) return void triages.delete(directory);
      triages.set(directory, triage);
      loading ??= loadPart('session reports', load, parts.warn);
    },
    async leave(directory) {
      ends.left(directory);
      triages.delete(directory);
      await work;
    },
  };
}

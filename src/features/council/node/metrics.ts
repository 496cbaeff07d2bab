import { join } from 'node:path';
import { councilFolder } from '../../../node/base/council-runs';
import { openRotatingFile } from '../../../node/base/rotating-file';
import type { CouncilStep } from '../rules/run/step';
import type { CouncilEvent } from '../rules/state/events';
import { setupOf } from '../rules/state/state';

type Metric = Readonly<{ timestamp: string; session_id: string; ai_id: string }> &
  (
    | Readonly<{ event: 'retry_attempt'; attempt: number; error_type: string; duration_ms: number }>
    | Readonly<{ event: 'fallback_accepted'; primary_model: string; fallback_model: string }>
  );

export const metricsPath = (home: string): string => join(councilFolder(home), 'metrics.log');

/** Records no text of participants. */
export type Metrics = Readonly<{ note(step: CouncilStep, event: CouncilEvent): void; flush(): Promise<void> }>;

export function openMetrics(home: string, onFault: (error: unknown) => void, now = () => new Date()): Metrics {
  const file = openRotatingFile({
    path: metricsPath(home),
    isOurs: (beginning) => beginning.startsWith('{"timestamp":'),
    onFault,
  });
  return {
    note(step, event) {
      const metrics = metricsIn(step, event, now().toISOString());
      if (metrics.length > 0) file.append(metrics.map((metric) => `${JSON.stringify(metric)}\n`).join(''));
    },
    flush: () => file.flush(),
  };
}

export function metricsIn({ state, facts }: CouncilStep, event: CouncilEvent, timestamp: string): readonly Metric[] {
  const { run, settings } = setupOf(state);
  return facts.flatMap((fact): Metric[] => {
    if (fact.type === 'speaker:retrying' && event.type === 'turn.retrying')
      return [
        {
          timestamp,
          session_id: run,
          event: 'retry_attempt',
          ai_id: fact.speaker,
          attempt: fact.attempt,
          error_type: fact.kind,
          duration_ms: event.durationMs,
        },
      ];
    if (fact.type !== 'question:answered' || fact.how !== 'yes') return [];
    const primary = settings.speakers.find(({ name }) => name === fact.speaker)?.model ?? '';
    const models = { primary_model: primary, fallback_model: fact.to };
    return [{ timestamp, session_id: run, event: 'fallback_accepted', ai_id: fact.speaker, ...models }];
  });
}

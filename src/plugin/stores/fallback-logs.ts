import { createLogTeller, type HeardStep, type LogEntry, unexpanded } from '../../core/fallback-log';
import { failureText } from '../../node/base/failure';
import { logPaths, OWN_LINE, OWN_RECORD } from '../../node/base/log-paths';
import { openRotatingFile, type RotatingFile } from '../../node/base/rotating-file';
import { within } from '../../node/base/within';
import type { Brain } from '../base/brain';
import { countingNow } from '../base/counting';

const BATCH_MS = 50;
/** OpenCode's exit waits for it. */
const FLUSH_LIMIT_MS = 500;

/** A path named by a project is confined to its directory. */
type Logging = Readonly<{ path: string | null; isConfined: boolean }>;

export type FallbackLogs = Readonly<{
  follow(directory: string, logging: Logging | null): void;
  /** Resolves after half a second at the latest. Never rejects. */
  flush(): Promise<void>;
}>;

type Log = Readonly<{ lines: RotatingFile; records: RotatingFile }>;

export function openFallbackLogs(brain: Brain, tell: (message: string) => void): FallbackLogs {
  const teller = createLogTeller();
  const logs = new Map<string, Log>();
  const places = new Map<string, string>();
  const waiting: HeardStep[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  // A log error must not fail OpenCode.
  const entriesOf = (step: HeardStep): readonly LogEntry[] => {
    return countingNow('fallback.log', () => teller.hear(step)) ?? [];
  };
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const batches = new Map<string, { lines: string; records: string }>();
    for (const { directories, line, record } of waiting.splice(0).flatMap(entriesOf)) {
      for (const place of new Set(directories.flatMap((directory) => places.get(directory) ?? []))) {
        const batch = batches.get(place) ?? { lines: '', records: '' };
        batches.set(place, batch);
        if (line !== null) batch.lines += `${line}\n`;
        batch.records += `${unexpanded(JSON.stringify(record))}\n`;
      }
    }
    for (const [place, { lines, records }] of batches) {
      if (lines !== '') logs.get(place)?.lines.append(lines);
      logs.get(place)?.records.append(records);
    }
  };
  brain.onStep((step, event) => {
    if (places.size === 0) return;
    waiting.push({ step, event, now: brain.now(), wall: Date.now() });
    // The request that just failed does not wait for the disk.
    timer ??= setTimeout(write, BATCH_MS).unref();
  });
  return {
    follow(directory, logging) {
      write();
      places.delete(directory);
      if (logging === null) return;
      const paths = logPaths(logging.path, directory);
      places.set(directory, paths.text);
      if (!logs.has(paths.text)) logs.set(paths.text, openLog(paths, tell, logging.isConfined ? directory : null));
    },
    async flush() {
      write();
      const written = Promise.all([...logs.values()].flatMap(({ lines, records }) => [lines.flush(), records.flush()]));
      await within(written, FLUSH_LIMIT_MS);
    },
  };
}

function openLog(paths: ReturnType<typeof logPaths>, tell: (message: string) => void, within: string | null): Log {
  const failed = new Set<string>();
  const openFile = (path: string, isOurs: (beginning: string) => boolean): RotatingFile =>
    openRotatingFile({
      path,
      isOurs,
      ...(within === null ? {} : { within }),
      onFault: (error) => {
        if (!failed.has(path)) tell(`The log cannot be written: ${failureText(error)}. Everything else still works.`);
        failed.add(path);
      },
    });
  return {
    lines: openFile(paths.text, (beginning) => OWN_LINE.test(beginning)),
    records: openFile(paths.records, (beginning) => beginning.startsWith(OWN_RECORD)),
  };
}

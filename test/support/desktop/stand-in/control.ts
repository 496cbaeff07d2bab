import process from 'node:process';

/** A function of the driver's, to be run here with Electron in its hands. */
type Task = Readonly<{ id: number; source: string; given: unknown }>;

/** Tells the driver something. */
export function tellDriver(news: Readonly<Record<string, unknown>>): void {
  process.send?.(news);
}

/** Runs what the driver sends, as Playwright runs it in a real Electron. */
export function answerDriver(electron: object, extra: Readonly<Record<string, unknown>>): void {
  process.on('message', ({ id, source, given }: Task) => {
    void (async () => {
      try {
        const run = new Function(`return (${source});`)() as (...all: unknown[]) => unknown;
        tellDriver({ id, value: await run({ ...electron, standIn: extra }, given) });
      } catch (error) {
        tellDriver({ id, error: String(error) });
      }
    })();
  });
  // The driver listens as long as it wants; that keeps no app on.
  process.channel?.unref();
}

import process from 'node:process';

type Task = Readonly<{ id: number; source: string; given: unknown }>;

export function tellDriver(news: Readonly<Record<string, unknown>>): void {
  process.send?.(news);
}

/** Runs functions from the driver, as Playwright does in a real Electron. */
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
  // The driver's channel must not keep the app running.
  process.channel?.unref();
}

const PAUSES_MS = [300, 1_500];

export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super(undefined, { cause });
  }
}

let prove: () => Promise<unknown> = async () => undefined;

/** The server proves itself before each load: another program's code would run in this page. */
export const loadAfter = (proof: () => Promise<unknown>): void => {
  prove = proof;
};

/** @throws NotLoaded after several attempts. */
export async function persistently<T>(part: () => Promise<T>): Promise<T> {
  const load = async (): Promise<T> => {
    await prove();
    return await part();
  };
  for (const pauseMs of PAUSES_MS) {
    try {
      return await load();
    } catch {
      // silent: it is tried again, and the last try rejects
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return await load().catch((error: unknown) => Promise.reject(new NotLoaded(error)));
}

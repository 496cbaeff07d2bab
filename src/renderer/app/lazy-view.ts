/** How long to wait before what could not be loaded is asked for again, in ms. */
const PAUSES_MS = [300, 1_500];

/** A part of the panel that could not be loaded, however often it was asked for. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super(undefined, { cause });
  }
}

let prove: () => Promise<unknown> = async () => undefined;

/** From now on, the server proves itself before each part is loaded: another program's code would run in this page. */
export const loadAfter = (proof: () => Promise<unknown>): void => {
  prove = proof;
};

/** Loads a part of the panel, and tries again when it does not come. @throws NotLoaded when it never does. */
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

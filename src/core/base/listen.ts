import { countError } from './internal-errors';
/** Adds a listener. @returns what takes it away again. */
export function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells each listener. One that throws has a fault of its own: the others hear all the same. */
export function tellEach<T>(listeners: ReadonlySet<T>, tell: (listener: T) => void): void {
  for (const listener of listeners) {
    try {
      tell(listener);
    } catch (error) {
      countError('listener', error);
    }
  }
}

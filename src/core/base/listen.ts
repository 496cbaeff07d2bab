import { countError } from './internal-errors';
export function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellEach<T>(listeners: ReadonlySet<T>, tell: (listener: T) => void): void {
  for (const listener of listeners) {
    try {
      tell(listener);
    } catch (error) {
      countError('listener', error);
    }
  }
}

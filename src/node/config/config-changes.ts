import { listen, tellEach } from '../../core/base/listen';

/** Notifies companions of directories with a changed configuration. */
export type ConfigChanges = Readonly<{
  tell(directory: string): void;
  /** @returns a function that unsubscribes. */
  onTell(listener: (directory: string) => void): () => void;
}>;

export function openConfigChanges(): ConfigChanges {
  const listeners = new Set<(directory: string) => void>();
  return {
    tell: (directory) => tellEach(listeners, (listener) => listener(directory)),
    onTell: (listener) => listen(listeners, listener),
  };
}

import { listen, tellEach } from '../../core/base/listen';

/** Tells companions in which directories a file has changed that counts there. */
export type ConfigChanges = Readonly<{
  tell(directory: string): void;
  /** @returns the function that ends it. */
  onTell(listener: (directory: string) => void): () => void;
}>;

export function openConfigChanges(): ConfigChanges {
  const listeners = new Set<(directory: string) => void>();
  return {
    tell: (directory) => tellEach(listeners, (listener) => listener(directory)),
    onTell: (listener) => listen(listeners, listener),
  };
}

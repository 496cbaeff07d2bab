import { listen, tellEach } from '../../core/base/listen';

export type ConfigChanges = Readonly<{
  tell(directory: string): void;
  onTell(listener: (directory: string) => void): () => void;
}>;

export function openConfigChanges(): ConfigChanges {
  const listeners = new Set<(directory: string) => void>();
  return {
    tell: (directory) => tellEach(listeners, (listener) => listener(directory)),
    onTell: (listener) => listen(listeners, listener),
  };
}

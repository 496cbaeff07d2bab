import { listen } from '../../core/base/listen';
import type { LineChannel } from './line-channel';

/** Nothing is read before the first `onMessage`. */
export function channelListeners<Message, End>(
  channel: LineChannel,
  hear: (line: string) => void,
  guard: (action: () => void) => void,
) {
  const listeners = new Set<(message: Message) => void>();
  const closers = new Set<(end: End) => void>();
  let ended: End | null = null;
  return {
    emit(message: Message) {
      for (const listener of listeners) guard(() => listener(message));
    },
    end(end: End) {
      ended = end;
      for (const listener of closers) guard(() => listener(end));
      closers.clear();
    },
    onMessage(listener: (message: Message) => void): () => void {
      const stop = listen(listeners, listener);
      channel.setLineListener(hear);
      return stop;
    },
    onClose(listener: (end: End) => void): () => void {
      if (ended !== null) listener(ended);
      return listen(closers, listener);
    },
  };
}

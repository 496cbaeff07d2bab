import { describe, expect, it } from 'vitest';
import { listen, tellEach } from '../../../src/core/base/listen';

describe('given three listeners, the second of which throws', () => {
  it('when they are told, then the others hear it', () => {
    const listeners = new Set<(word: string) => void>();
    const heard: string[] = [];
    listen(listeners, (word) => void heard.push(`one ${word}`));
    listen(listeners, () => {
      throw new Error('its own fault');
    });
    const stop = listen(listeners, (word) => void heard.push(`three ${word}`));
    tellEach(listeners, (listener) => listener('a'));
    stop();
    tellEach(listeners, (listener) => listener('b'));
    expect(heard).toEqual(['one a', 'three a', 'one b']);
  });
});

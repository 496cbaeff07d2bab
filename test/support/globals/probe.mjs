import { writeFileSync } from 'node:fs';
import { differences, lookAtGlobals } from './look.mjs';

/**
 * A plugin for both generations that inspects the process at each message. From the third time it writes to `path` the
 * differences from the second, which follows OpenCode's own first turn.
 */
export function probe(path) {
  const looks = [];
  const look = () => {
    looks.push(lookAtGlobals());
    const [, before, ...later] = looks;
    const after = later.at(-1);
    if (after) writeFileSync(path, JSON.stringify(differences(before, after)));
  };
  return {
    id: 'globals-probe',
    server: async () => ({ 'chat.message': async () => look() }),
    setup: async ({ session }) => {
      await session?.hook?.('model.request', ({ kind }) => {
        if (kind === 'primary') look();
      });
    },
  };
}

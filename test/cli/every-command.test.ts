import { describe, expect, it } from 'vitest';
import { CHAIN } from '../core/virtual-core';
import { COMMANDS, runnableCommands, userWithEverything } from './all-commands';
import { connectCompanion, startApp } from './real-cli';

const [LEAD, NEXT] = CHAIN;

/** What answers with a script, lines or nothing at all. */
const NOT_JSON = new Set(['completion', 'report export', 'data log', 'panel', 'demo', 'watch', 'version']);

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('given every command there is', () => {
  it('when they are counted, then each one is in this table', async () => {
    const runnable = await runnableCommands();
    const commandOf = (words: string) => runnable.findLast((name) => `${words} `.startsWith(`${name} `));
    expect([...new Set(Object.keys(COMMANDS).map(commandOf))].toSorted()).toEqual(runnable);
  });

  it.each(Object.entries(COMMANDS))(
    'when %s is run with the app, then it ends as it must, in JSON',
    async (words, [args, code]) => {
      const user = await userWithEverything();
      await startApp(user);
      const link = await connectCompanion(user.home);
      link.onMessage((message) => {
        if (message.type === 'drill.ask')
          link.send({
            type: 'drill.answer',
            id: message.id,
            outcome: { ok: true, agent: 'build', from: LEAD, to: NEXT, tookMs: 1 },
          });
      });
      const answered = await user.run(words, args);
      expect([answered.code, NOT_JSON.has(words) || isJson(answered.said)]).toEqual([code, true]);
    },
  );

  it.each(Object.entries(COMMANDS))(
    'when %s is run without it, then it ends as it must, in JSON',
    async (words, [args, , code]) => {
      const { run } = await userWithEverything();
      const answered = await run(words, args);
      expect([answered.code, NOT_JSON.has(words) || isJson(answered.said)]).toEqual([code, true]);
    },
  );
});

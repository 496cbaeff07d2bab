import { describe, expect, it, onTestFinished } from 'vitest';
import { socketAddress } from '../../src/node/base/state-home';
import { readToken } from '../../src/node/base/token';
import { openCore } from '../../src/node/open-core';
import { createAsker } from '../../src/node/socket/asker';
import { connectToApp } from '../../src/node/socket/socket-client';
import { MAX_LINE_BYTES, VIEWER_LINE_BYTES } from '../../src/protocol';
import { scopeOf } from '../core/virtual-core';
import { wireCompanion } from '../support/wire-companion';
import { cliUser } from './real-cli';

/** Names of models and chains so long that one line of a companion's is just short enough. */
const AGENTS = 43;
const MODELS = 50;
const NAME_CHARS = 285;
/** Lines of a companion's that fit into the queue of a connection. */
const SAID_AT_ONCE = 8;

const modelOf = (number: number): string => `lead/${String(number).padStart(NAME_CHARS, 'm')}`;

/** A running app that a companion has told of so many directories, each with many long chains. */
async function largeApp(directories: number) {
  const user = await cliUser();
  const core = await openCore({ version: '0.1.0', runtime: 'test', env: user.env, companion: `${user.root}/none` });
  onTestFinished(() => core.close());
  const chain = Array.from({ length: MODELS }, (_, number) => modelOf(number));
  const [plan] = Object.values(scopeOf(chain).agents);
  const agents = Object.fromEntries(Array.from({ length: AGENTS }, (_, number) => [`agent${number}`, plan]));
  const told = await wireCompanion(user.home);
  onTestFinished(() => told.close());
  for (let at = 0; at < directories; at++) {
    told.say({ type: 'scope.configured', directory: `/p/${at}`, config: { ...scopeOf(), agents } as never });
    if (at % SAID_AT_ONCE === 0) await told.settled();
  }
  await told.settled();
  return user;
}

describe('given a project with more chains than a line of a companion may hold', () => {
  it('when the status is asked for, then all of it is shown', async () => {
    const { run } = await largeApp(3);
    const { code, said } = await run(['status', '--json']);
    expect([code, JSON.parse(said).chains.length]).toEqual([0, 3 * AGENTS]);
    expect(said.length).toBeGreaterThan(MAX_LINE_BYTES);
  });

  it('when a viewer asks that takes no more than ever, then it hears why there is no answer', async () => {
    const { home } = await largeApp(3);
    const connected = await connectToApp({
      addressFor: (token) => socketAddress(home, token),
      readToken: () => readToken(home),
      hello: { role: 'viewer', name: 'older' },
    });
    if (!connected.ok) throw new Error(connected.message);
    onTestFinished(() => connected.link.close());
    const ask = createAsker(connected.link);
    await expect(ask('snapshot.get', null)).rejects.toThrow(`more than ${MAX_LINE_BYTES}. The panel`);
    expect(await ask('logs.nothing' as never, null).catch(String)).toContain('Unknown query');
  });
});

describe('given more chains than any line may hold', () => {
  it('when a command asks for them, then it ends, and says why there is nothing to show', async () => {
    const { run } = await largeApp(Math.ceil(VIEWER_LINE_BYTES / MAX_LINE_BYTES) + 8);
    for (const command of ['status', 'logs', 'watch', 'pause'])
      expect([command, await run([command])]).toEqual([
        command,
        {
          code: 4,
          said: expect.stringMatching(
            /^Understudy is running but does not answer: The answer is too long to be sent to another program: \d+ bytes/,
          ),
        },
      ]);
  });
});

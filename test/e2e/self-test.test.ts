import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpencodeSession, PINNED_OPENCODE_VERSION, textOf } from '../../src/node/opencode';
import { openStage, type Stage } from '../support/stage';

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage?.close());

const ANSWER = { kind: 'text', text: 'UNDERSTUDY ANSWERS' } as const;
const LASTING = { cooldownMs: 600_000, retryOriginalAfterMs: 600_000 } as const;

type Verdict = { opencode: string; plugin: string; broken: string[]; at: number };

describe('given an OpenCode that the companion has never met', () => {
  it('when its first turn is over, then it is tested without a provider, all holds, and only the result stays', async () => {
    const { provider, server, home } = stage;
    const { directory, ids } = await stage.makeCase();
    provider.script(ids[0] ?? '', [ANSWER]);
    const app = await stage.openApp();
    const session = await server.createSession(directory);
    const stream = await server.events(directory);
    await server.prompt(session, { text: 'One' });
    const read = () => readFile(join(home, 'self-test.json'), 'utf8').catch(() => null);
    await expect.poll(read, { timeout: 20_000 }).not.toBeNull();
    const { tested } = JSON.parse((await read()) ?? '{}') as { tested: Verdict[] };
    const sessions = await server.request<OpencodeSession[]>('GET', '/session', { directory });
    const children = await server.request<OpencodeSession[]>('GET', `/session/${session.id}/children`, { directory });
    const snapshot = await app.until(({ sessions }) => sessions.length > 0);
    await app.close();
    const toasts = stream.seen().filter(({ type }) => type === 'tui.toast.show');
    stream.close();
    expect({
      tested: tested.map(({ opencode, broken }) => ({ opencode, broken })),
      requests: provider.requests().length,
      sessions: [...sessions, ...children].map(({ id }) => id),
      shown: snapshot.sessions.map((row) => row.session),
      toasts,
    }).toEqual({
      tested: [{ opencode: PINNED_OPENCODE_VERSION, broken: [] }],
      requests: 1,
      sessions: [session.id],
      shown: [session.id],
      toasts: [],
    });
  });
});

describe('given an OpenCode in which messages cannot be pointed elsewhere', () => {
  it('when the lead fails, then its error passes, the user is told why, and the next message goes to the understudy', async () => {
    const { provider, server, home } = stage;
    const { version: plugin } = JSON.parse(
      await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
    ) as { version: string };
    const verdict: Verdict = { opencode: PINNED_OPENCODE_VERSION, plugin, broken: ['moves'], at: Date.now() };
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(join(home, 'self-test.json'), JSON.stringify({ v: 1, tested: [verdict] }), { mode: 0o600 });
    const { directory, ids } = await stage.makeCase({ defaults: LASTING });
    provider.script(ids[0] ?? '', [{ kind: 'status', status: 401 }]);
    provider.script(ids[1] ?? '', [ANSWER]);
    const stream = await server.events(directory);
    const session = await server.createSession(directory);
    const first = await server.prompt(session, { text: 'One' });
    const toast = await stream.waitFor(({ type }) => type === 'tui.toast.show');
    stream.close();
    const second = await server.prompt(session, { text: 'Two' });
    expect([
      first.info.error?.name,
      JSON.stringify(toast),
      textOf(second),
      ...ids.map((id) => provider.requests(id).length),
    ]).toEqual([
      'APIError',
      expect.stringContaining('does not let a message be pointed at another model'),
      ANSWER.text,
      1,
      1,
    ]);
  });
});

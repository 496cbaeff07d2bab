import { describe, expect, it } from 'vitest';
import { queries } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { serveContract } from '../../src/main/ipc';
import { electronDouble } from '../support/electron-double';
import { fakeHost } from '../support/panel-host';
import { agentRow, snapshotOf } from '../support/rows';

const OURS = 7;
const snapshot = snapshotOf([agentRow()]);
const panelFrame = { url: 'app://understudy/#/now', parent: null };

function serve() {
  const { electron, handlers } = electronDouble();
  const stop = serveContract(
    { ipcMain: electron.ipcMain, isOurWindow: (id) => id === OURS },
    fakeHost(snapshot).handlers,
  );
  const ask = (name: string, input: unknown, change: { senderFrame?: unknown; id?: number } = {}) =>
    handlers.get(`understudy:ask:${name}`)?.(
      { senderFrame: 'senderFrame' in change ? change.senderFrame : panelFrame, sender: { id: change.id ?? OURS } },
      input,
    );
  return { ask, handlers, stop };
}

describe('given the questions a window may ask', () => {
  it('when they are served, then there is one channel for each, and none after stopping', () => {
    registerFeatures();
    const { handlers, stop } = serve();
    const names = Object.keys(queries).map((name) => `understudy:ask:${name}`);
    expect([...handlers.keys()].toSorted()).toEqual(names.toSorted());
    stop();
    expect(handlers.size).toBe(0);
  });

  it('when our window asks, then it is answered', async () => {
    expect(await serve().ask('snapshot.get', null)).toEqual({ ok: true, value: snapshot });
  });

  it.each([
    ['a frame that is gone', { senderFrame: null }],
    ['an embedded frame', { senderFrame: { url: 'app://understudy/', parent: panelFrame } }],
    ['a foreign page', { senderFrame: { url: 'https://evil.example/', parent: null } }],
    ['a page that looks like ours', { senderFrame: { url: 'app://understudy.evil/', parent: null } }],
    ['an unknown window', { id: 8 }],
  ])('when %s asks, then it is refused without an exception', async (_case, change) => {
    expect(await serve().ask('snapshot.get', null, change)).toEqual({
      ok: false,
      code: 'refused',
      reason: 'Only the panel may send requests.',
    });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each<[string, unknown, string]>([
    ['is over 64 kB', { target: { model: 'a'.repeat(65_536) }, rev: 1 }, 'refused'],
    ['is cyclic', cyclic, 'refused'],
    ['has a bigint', { rev: 1n }, 'refused'],
    ['has the wrong shape', { target: 'all', rev: 1 }, 'invalid'],
    ['reaches for a prototype', JSON.parse('{"__proto__":{"target":{"all":true},"rev":1}}'), 'invalid'],
    ['is missing', undefined, 'invalid'],
    ['is a function', () => {}, 'invalid'],
  ])('when the question %s, then it is refused without an exception', async (_case, input, code) => {
    expect(await serve().ask('health.reset', input)).toEqual({ ok: false, code, reason: expect.stringMatching(/./) });
  });
});

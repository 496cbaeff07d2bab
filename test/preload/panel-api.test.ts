import { join } from 'node:path';
import type { IpcRenderer } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { carried, type PanelApi, queries } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { createPanelApi } from '../../src/preload/panel-api';
import { NAMES_ALONE } from '../../vite.libraries';
import { agentRow, snapshotOf } from '../support/rows';

registerFeatures();

const exposed = vi.hoisted(() => ({ worlds: {} as Record<string, unknown> }));
vi.mock('electron', () => ({
  contextBridge: {
    exposeInMainWorld: (name: string, api: unknown) => {
      exposed.worlds[name] = api;
    },
  },
  webUtils: { getPathForFile: () => '/home/ada/shop' },
  ipcRenderer: { invoke: () => Promise.resolve({ ok: true, value: null }), on: () => {}, off: () => {} },
}));

const noFiles = { getPathForFile: () => '' };
type Listener = (event: unknown, data: unknown) => void;

function ipcDouble(answer: unknown = { ok: true, value: null }) {
  const invoked: unknown[][] = [];
  const listeners = new Map<string, Set<Listener>>();
  const ipc = {
    invoke: (...args: unknown[]) => {
      invoked.push(args);
      return Promise.resolve(answer);
    },
    on: (channel: string, listener: Listener) =>
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
    off: (channel: string, listener: Listener) => listeners.get(channel)?.delete(listener),
  };
  const emit = (channel: string, data: unknown) => {
    for (const listener of listeners.get(channel) ?? []) listener({ sender: 'electron' }, data);
  };
  return { ipc: ipc as unknown as IpcRenderer, invoked, listeners, emit };
}

describe('given the preload script', () => {
  it('when it is loaded, then exactly one frozen object with four functions is exposed', async () => {
    await import('../../src/preload/index');
    const api = exposed.worlds.understudy as PanelApi;
    expect(Object.keys(exposed.worlds)).toEqual(['understudy']);
    expect(Object.entries(api).map(([name, value]) => [name, typeof value])).toEqual([
      ['ask', 'function'],
      ['on', 'function'],
      ['onLink', 'function'],
      ['pathOf', 'function'],
    ]);
    expect(Object.isFrozen(api)).toBe(true);
  });

  it('when it is built, then it has every name of the contract and imports nothing', async () => {
    const code = await NAMES_ALONE.load(join(import.meta.dirname, '../../src/preload/names.ts'));
    const built = await import(`data:text/javascript,${encodeURIComponent(code ?? '')}`);
    expect({ ...built }).toEqual({ QUERY_NAMES: Object.keys(queries), PUSH_NAMES: Object.keys(carried) });
  });
});

describe('given the window’s side of the contract', () => {
  it('when a folder was dropped, then the page is told where it lies, and nothing is sent', () => {
    const { ipc, invoked } = ipcDouble();
    const folder = { name: 'shop' };
    const files = { getPathForFile: (file: unknown) => (file === folder ? '/home/ada/shop' : '') };
    expect(createPanelApi(ipc, files).pathOf(folder as never)).toBe('/home/ada/shop');
    expect(invoked).toEqual([]);
  });

  it('when a question is asked, then it travels on its own channel and the value comes back', async () => {
    const snapshot = snapshotOf([agentRow()]);
    const { ipc, invoked } = ipcDouble({ ok: true, value: snapshot });
    expect(await createPanelApi(ipc, noFiles).ask('snapshot.get', null)).toEqual(snapshot);
    expect(invoked).toEqual([['understudy:ask:snapshot.get', null]]);
  });

  it('when the answer is a refusal, then it rejects with the reason', async () => {
    const { ipc } = ipcDouble({ ok: false, code: 'failed', reason: 'The core is closing.' });
    await expect(createPanelApi(ipc, noFiles).ask('snapshot.get', null)).rejects.toThrow('The core is closing.');
  });

  it.each(['nope', 'toString', '__proto__', 'understudy:ask:snapshot.get', 7, null])(
    'when the page makes up the name %s, then nothing is sent and nothing is heard',
    async (name) => {
      const { ipc, invoked, listeners } = ipcDouble();
      const api = createPanelApi(ipc, noFiles);
      await expect(api.ask(name as 'snapshot.get', null)).rejects.toThrow('Unknown query.');
      expect(() => api.on(name as 'snapshot', () => {})).toThrow('Unknown push.');
      expect([invoked, listeners.size]).toEqual([[], 0]);
    },
  );

  it('when a push comes, then the listener gets the data alone, until it unsubscribes', () => {
    const { ipc, emit, listeners } = ipcDouble();
    const heard: unknown[][] = [];
    const unsubscribe = createPanelApi(ipc, noFiles).on('snapshot', (...args) => heard.push(args));
    emit('understudy:push:snapshot', { rev: 1 });
    unsubscribe();
    emit('understudy:push:snapshot', { rev: 2 });
    expect([heard, listeners.get('understudy:push:snapshot')?.size]).toEqual([[[{ rev: 1 }]], 0]);
  });

  it('when the link is asked for, then it is open at once', () => {
    const heard: string[] = [];
    createPanelApi(ipcDouble().ipc, noFiles).onLink((state) => heard.push(state))();
    expect(heard).toEqual(['open']);
  });
});

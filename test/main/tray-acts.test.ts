import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Handlers, queries } from '../../src/contract/contract';
import { registerFeatures } from '../../src/contract/feature-queries';
import { DEFAULT_PREFERENCES } from '../../src/contract/preferences';
import { createTrayActs, TRAY_QUESTIONS } from '../../src/main/tray-acts';
import type { TrayAction } from '../../src/main/tray-menu';
import { type ElectronDouble, electronDouble } from '../support/electron-double';
import { fakeHost } from '../support/panel-host';
import { snapshotOf } from '../support/rows';

const MODEL = 'openai/gpt-5';

let double: ElectronDouble;
let asked: unknown[];
let folder: string;

beforeEach(async () => {
  double = electronDouble();
  asked = [];
  folder = await mkdtemp(join(tmpdir(), 'understudy-tray-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

/** Has it done. `answers` replaces what the core says; everything else is taken and accepted. */
function perform(action: TrayAction, answers: Partial<Handlers> = {}): void {
  const told =
    <Answer>(name: string, answer: Answer) =>
    (input: unknown): Answer => {
      asked.push([name, input]);
      return answer;
    };
  const inForce = { preferences: DEFAULT_PREFERENCES, path: '/preferences.json', rev: 'abc', problem: null };
  const { handlers } = fakeHost(snapshotOf([]), {
    'person.act': told('person.act', { accepted: true, rev: 2 }),
    'health.reset': told('health.reset', { accepted: true, rev: 2 }),
    'model.probe': told('model.probe', {
      ...{ accepted: true, rev: 2, isBack: true },
      result: { ok: true, tookMs: 5, cost: 0 },
    }),
    'settings.get': () => inForce,
    'settings.set': told('settings.set', { ok: true, ...inForce }),
    'scorecard.export': told('scorecard.export', { name: 'scorecard.md', text: '# Scorecard\n' }),
    ...answers,
  });
  createTrayActs({
    ...{ electron: double.electron, handlers, say: (make) => make() },
    open: () => void asked.push('open'),
    go: (hash) => void asked.push(hash),
    quit: () => void asked.push('quit'),
  })(action);
}

// As the desktop app does with its core.
registerFeatures();

describe('given something chosen in the tray', () => {
  it.each<[TrayAction, unknown]>([
    [{ kind: 'open' }, 'open'],
    [{ kind: 'go', hash: '#/models' }, '#/models'],
    [{ kind: 'quit' }, 'quit'],
    [
      { kind: 'act', act: { type: 'switching.paused', forMs: null }, rev: 7 },
      ['person.act', { act: { type: 'switching.paused', forMs: null }, rev: 7, actor: 'tray' }],
    ],
    [{ kind: 'reset', model: MODEL, rev: 7 }, ['health.reset', { target: { model: MODEL }, rev: 7, actor: 'tray' }]],
    [{ kind: 'probe', model: MODEL, rev: 7 }, ['model.probe', { model: MODEL, rev: 7 }]],
    [{ kind: 'mute', span: null }, ['settings.set', { patch: { notices: { mutedUntil: null } }, rev: 'abc' }]],
    [{ kind: 'export', format: 'csv', session: null }, ['scorecard.export', { format: 'csv' }]],
    [{ kind: 'export', format: 'md', session: 's' }, ['scorecard.export', { format: 'md', session: 's' }]],
  ])('when it is %j, then the core is asked just that, and nobody is bothered', async (action, question) => {
    perform(action);
    await expect.poll(() => asked).toEqual([question]);
    expect(double.boxes.messages).toEqual([]);
  });

  it.each<['hour' | 'today', Date, Date]>([
    ['hour', new Date(2026, 0, 5, 23, 30), new Date(2026, 0, 6, 0, 30)],
    ['today', new Date(2026, 0, 5, 23, 30), new Date(2026, 0, 6)],
    ['today', new Date(2026, 0, 5, 0, 0), new Date(2026, 0, 6)],
  ])('when notices are muted for %s at %s, then they are until %s', async (span, now, until) => {
    vi.useFakeTimers({ now, toFake: ['Date'] });
    perform({ kind: 'mute', span });
    const patch = { notices: { mutedUntil: until.getTime() } };
    await expect.poll(() => asked).toEqual([['settings.set', { patch, rev: 'abc' }]]);
  });

  it.each<[string, TrayAction, Partial<Handlers>, string]>([
    [
      'the core refuses',
      { kind: 'reset', model: MODEL, rev: 1 },
      { 'health.reset': () => ({ accepted: false, reason: 'It has changed.' }) },
      'It has changed.',
    ],
    [
      'the settings have changed',
      { kind: 'mute', span: 'hour' },
      { 'settings.set': () => ({ ok: false, reason: 'The file says something else.' }) },
      'The file says something else.',
    ],
    [
      'the core fails',
      { kind: 'export', format: 'md', session: null },
      {
        'scorecard.export': () => {
          throw new Error('Too long for one answer.');
        },
      },
      'Too long for one answer.',
    ],
  ])('when %s, then it is said in a box', async (_case, action, answers, reason) => {
    perform(action, answers);
    await expect
      .poll(() => double.boxes.messages)
      .toEqual([{ type: 'info', message: 'This action was refused.', detail: reason, buttons: ['Close'] }]);
  });
});

describe('given a scorecard to be exported', () => {
  const action = { kind: 'export', format: 'md', session: null } as const;

  it('when a place is chosen, then it is written there for this user alone, and shown in its folder', async () => {
    double.boxes.saveTo = join(folder, 'mine.md');
    perform(action);
    await expect.poll(() => double.app.calls).toEqual([`showItemInFolder ${join(folder, 'mine.md')}`]);
    expect(double.boxes.saves).toMatchObject([
      { title: 'Save scorecard', defaultPath: 'scorecard.md', filters: [{ name: 'Markdown', extensions: ['md'] }] },
    ]);
    expect(await readFile(join(folder, 'mine.md'), 'utf8')).toBe('# Scorecard\n');
    expect((await stat(join(folder, 'mine.md'))).mode & 0o777).toBe(0o600);
  });

  it('when no place is chosen, then nothing is written and nothing said', async () => {
    perform(action);
    await expect.poll(() => double.boxes.saves.length).toBe(1);
    expect([await readdir(folder), double.app.calls, double.boxes.messages]).toEqual([[], [], []]);
  });

  it('when it cannot be written there, then why is said, and no folder is shown', async () => {
    double.boxes.saveTo = join(folder, 'none', 'mine.md');
    perform(action);
    await expect
      .poll(() => double.boxes.messages.map(({ detail }) => detail))
      .toEqual([expect.stringMatching('ENOENT')]);
    expect(double.app.calls).toEqual([]);
  });
});

describe('given everything the tray can do', () => {
  it('when the panel is looked through, then it asks the same questions: the tray is never the only way', async () => {
    const root = join(import.meta.dirname, '../../src/renderer');
    const files = (await readdir(root, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const panel = (await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')))).join('\n');
    const questions = Object.values(TRAY_QUESTIONS).filter((name) => name !== null);
    expect(questions.filter((name) => !(name in queries))).toEqual([]);
    expect(questions.filter((name) => !panel.includes(`ask('${name}'`))).toEqual([]);
    const acts = ['agent.pinned', 'health.held', 'switching.paused', 'switching.resumed'];
    expect(acts.filter((type) => !panel.includes(`type: '${type}'`))).toEqual([]);
    expect(panel).toContain('mutedUntil');
  });
});

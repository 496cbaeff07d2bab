import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Near } from '../../src/contract/headroom';
import type { Snapshot } from '../../src/contract/snapshot';
import { MODEL_STATES } from '../../src/engine/names';
import { TRAY_QUESTIONS } from '../../src/main/tray-acts';
import { type TrayAction, type TrayRow, trayMenu } from '../../src/main/tray-menu';
import { type TrayIcon, trayIcon, trayTooltip } from '../../src/main/tray-view';
import { saidIn } from '../../src/texts';
import { german } from '../../src/texts/de';
import { askingCouncil, BACK_AT, councilRow, modelRow } from '../support/rows';
import { runs } from '../support/runs';
import { windowRow } from '../support/sample-headroom';
import { AT, eventRow, MODELS, type Speaker, type World, worldOf } from '../support/tray-world';

const menuOf = (world: World, mutedUntil: number | null = null) => trayMenu(worldOf(world), { mutedUntil });
const textOf = (row: TrayRow): string => (row.kind === 'separator' ? '-' : row.label);

/** Every row, with those of the menus inside. */
const allOf = (rows: readonly TrayRow[]): readonly TrayRow[] =>
  rows.flatMap((row) => (row.kind === 'submenu' ? [row, ...allOf(row.rows)] : [row]));

/** The menu behind the first row that begins with these words. */
function under(rows: readonly TrayRow[], words: string): readonly TrayRow[] {
  const found = rows.find((row) => row.kind === 'submenu' && row.label.startsWith(words));
  if (found?.kind !== 'submenu') throw new RangeError(`No menu begins with "${words}".`);
  return found.rows;
}

/** What the first row of these words asks for. */
function actionOf(rows: readonly TrayRow[], words: string): TrayAction | null {
  const found = rows.find((row) => row.kind !== 'separator' && row.label.startsWith(words));
  return found?.kind === 'action' ? found.action : null;
}

const NEAR: Near = {
  ...{ code: 'headroom.plan', window: 'unified-5h', unit: 'share', lengthMs: 18_000_000, used: 0.97 },
  ...{ limit: null, remaining: null, needs: null },
};
const THERE = { account: 'work', unit: 'share', lengthMs: 18_000_000 } as const;
const away: World = { speakers: [{ agent: 'plan', at: 1 }], models: { opus: 'cooling' }, with: { rev: 41 } };
const pin = (until: number | null): Partial<Snapshot> => ({
  pins: [{ directory: '/home/ada/shop', agent: 'plan', model: MODELS.gpt, since: AT, until, by: 'panel' }],
});

describe('given the menu of an agent', () => {
  it('when it is away, then its primary can be probed and reset, it can be held, and its chain is read', () => {
    const rows = under(menuOf(away), '↓ plan');
    expect(rows.map(textOf)).toEqual([
      ...['Probe primary now', 'Reset primary', 'Pin here 30 min', '-'],
      ...['1  claude-opus-4-1 · cooling ~14:32', '2  gpt-5 · ready', '3  gemini-3-pro · ready', '-', 'Open chain…'],
    ]);
    expect(rows.map((row) => row.kind === 'radio' && row.isChosen)).toEqual(rows.map((_, index) => index === 5));
    expect([actionOf(rows, 'Probe'), actionOf(rows, 'Reset'), actionOf(rows, 'Pin')]).toEqual([
      { kind: 'probe', model: MODELS.opus, rev: 41 },
      { kind: 'reset', model: MODELS.opus, rev: 41 },
      {
        ...{ kind: 'act', rev: 41 },
        act: {
          ...{ type: 'agent.pinned', directory: '/home/ada/shop', agent: 'plan' },
          ...{ model: MODELS.gpt, forMs: 1_800_000 },
        },
      },
    ]);
  });

  it.each([
    [3, 'Probe primary now (about $0.02)'],
    [0.1, 'Probe primary now (about $0.0008)'],
    [0, 'Probe primary now'],
    [null, 'Probe primary now'],
  ])('when a million tokens of its primary cost %s dollars, then the row says "%s"', (priceIn, said) => {
    const abilities = { context: null, vision: null, tools: null, priceIn, priceOut: null };
    expect(under(menuOf({ speakers: [{}], models: { opus: { abilities } } }), '● build').map(textOf)[0]).toBe(said);
  });

  it('when its primary is well, then there is nothing to reset', () => {
    const rows = under(menuOf({ speakers: [{}] }), '● build');
    expect([actionOf(rows, 'Reset primary'), rows.map(textOf)[1]]).toEqual([null, 'Reset primary']);
  });

  it.each([
    [BACK_AT, 'Unpin (pinned here until 14:32)'],
    [null, 'Unpin (pinned here)'],
  ])('when it is pinned here until %s, then it can be unpinned', (until, said) => {
    const rows = under(menuOf({ ...away, with: { ...pin(until), rev: 5 } }), '↓ plan');
    expect(actionOf(rows, said)).toEqual({
      ...{ kind: 'act', rev: 5 },
      act: { type: 'agent.pinned', directory: '/home/ada/shop', agent: 'plan', model: null, forMs: null },
    });
    expect(rows.map(textOf)).not.toContain('Pin here 30 min');
  });

  it('when its primary is held by a person, then that can be ended', () => {
    const hold = { state: 'open', until: BACK_AT, since: AT, by: 'cli' } as const;
    const models = { opus: { state: 'held', code: 'held.open', hold } } as const;
    const rows = under(menuOf({ speakers: [{ at: 1 }], models }), '↓ build');
    expect(actionOf(rows, 'End hold of primary (until 14:32)')).toEqual({
      ...{ kind: 'act', rev: 1, act: { type: 'health.held', model: MODELS.opus, state: null, forMs: null } },
    });
  });

  it('when a model of its chain needs a person, then the first row leads to what mends it', () => {
    const [first] = under(menuOf({ speakers: [{}], models: { opus: 'blocked' } }), '⚑ build');
    expect(first).toEqual({
      ...{ kind: 'action', label: 'Fix…' },
      action: { kind: 'go', hash: '#/models/anthropic%2Fclaude-opus-4-1' },
    });
  });

  it('when it has no model left, then nobody is chosen in its chain and it cannot be held', () => {
    const models = { opus: 'cooling', gpt: 'blocked', pro: { state: 'degraded', failures: 2 } } as const;
    const rows = under(menuOf({ speakers: [{ isOut: true }], models }), '✕ build');
    expect(rows.slice(-5).map((row) => [row.kind, textOf(row)])).toEqual([
      ['text', '1  claude-opus-4-1 · cooling ~14:32'],
      ['text', '2  gpt-5 · needs you'],
      ['text', '3  gemini-3-pro · degraded 2/3'],
      ['separator', '-'],
      ['action', 'Open chain…'],
    ]);
    expect(actionOf(rows, 'Pin here')).toBe(null);
  });

  it.each([
    ['plan', '#/chains/%2Fhome%2Fada%2Fshop%7Cplan'],
    ['*', '#/chains/%2Fhome%2Fada%2Fshop%7C*'],
    ['build', '#/chains'],
  ])('when its project has a chain for %s, then it opens %s', (agent, hash) => {
    const chains = [{ directory: '/home/ada/shop', agent, chain: [] }];
    const rows = under(menuOf({ ...away, with: { chains } }), '↓ plan');
    expect(actionOf(rows, 'Open chain')).toEqual({ kind: 'go', hash });
  });

  it('when eleven are live, then eight have a menu and the others are on the first view', () => {
    const rows = menuOf({ speakers: Array.from({ length: 11 }, (_, index): Speaker => ({ agent: `a${index}` })) });
    expect(rows.slice(7, 10).map(textOf)).toEqual(['● a7  claude-opus-4-1 · primary', 'More… (3)', '-']);
    expect(actionOf(rows, 'More…')).toEqual({ kind: 'go', hash: '#/now' });
  });
});

describe('given the rows about everything', () => {
  it('when they are read, then they lead to their views, and the menu ends with the window, its settings and the end', () => {
    const rows = menuOf({ ...away, with: { events: [eventRow()] } });
    expect(rows.map(textOf)).toEqual([
      ...['↓ plan  gpt-5 · 2 of 3 · primary ~14:32', '-'],
      ...['Models: 2 ready · 1 cooling', 'Last 14:20: plan claude-… → gpt-5 (rate limited)', '-'],
      ...['Pause automatic fallback', 'Mute notifications', 'Export last scorecard', '-'],
      ...['Open Understudy', 'Settings…', 'Quit'],
    ]);
    const leads = ['Models', 'Last', 'Open', 'Settings', 'Quit'].map((words) => actionOf(rows, words));
    expect(leads).toEqual([
      { kind: 'go', hash: '#/models' },
      { kind: 'go', hash: '#/events' },
      { kind: 'open' },
      { kind: 'go', hash: '#/settings' },
      { kind: 'quit' },
    ]);
  });

  it.each([
    ['a redirect', eventRow({ code: 'redirect.open', agent: 'a', kind: null }), 'a claude-opus-4-1 → gpt-5'],
    [
      'a move before a limit',
      eventRow({ code: 'headroom.plan', agent: 'a', kind: 'quota', near: NEAR }),
      'a claude-o… → gpt-5 (before a limit)',
    ],
    [
      'a switch before a limit',
      eventRow({ agent: 'a', kind: 'quota', near: NEAR }),
      'a claude-o… → gpt-5 (before a limit)',
    ],
    [
      'a move between two long names',
      eventRow({ code: 'headroom.plan', agent: 'a', kind: 'quota', near: NEAR, to: 'x/gpt-5-codex-max' }),
      'a claude… → gpt-5-… (before a limit)',
    ],
    [
      'the emptier account of the same model',
      eventRow({
        ...{ code: 'headroom.spread', agent: 'a', near: { ...NEAR, used: 0.7, there: { ...THERE, used: 0.2 } } },
      }),
      'a uses work (emptier)',
    ],
    ['the way home', eventRow({ code: 'home.ready', to: MODELS.opus }), 'plan returns to claude-opus-4-1'],
    ['something of no model', eventRow({ code: 'switching.resumed', agent: null }), 'You resumed switching'],
  ])('when the last event is %s, then it is told in few words', (_case, event, said) => {
    expect(menuOf({ with: { events: [event] } }).map(textOf)).toContain(`Last 14:20: ${said}`);
  });

  it('when there are more states than a row has room for, then as many as fit are counted', () => {
    const models = MODEL_STATES.flatMap((state, index) =>
      Array.from({ length: 12 }, (_, twin) => modelRow({ model: `a/${index}-${twin}`, state })),
    );
    expect(menuOf({ with: { models } }).map(textOf)).toContain('Models: 12 ready · 12 cooling · 12 open · …');
  });

  it.each([
    ['drill.passed', 599_999, ['Drill at 14:12: another model took over']],
    ['drill.failed', 0, ['Drill at 14:22: no model took over']],
    ['drill.passed', 600_000, []],
  ])('when the last event of a drill is %s, %i ms old, then the menu says %j', (code, ageMs, drill) => {
    const rows = menuOf({ with: { events: [eventRow(), eventRow({ code, at: AT - ageMs })] } }).map(textOf);
    expect(rows.filter((said) => said.startsWith('Drill'))).toEqual(drill);
  });

  it('when switching goes on, then it can be paused for a while or until somebody resumes it', () => {
    const rows = under(menuOf({ with: { rev: 3 } }), 'Pause automatic fallback');
    expect(rows.map((row) => [textOf(row), row.kind === 'action' && row.action])).toEqual(
      [
        ['15 min', 900_000],
        ['1 h', 3_600_000],
        ['Until resumed', null],
      ].map(([said, forMs]) => [said, { kind: 'act', rev: 3, act: { type: 'switching.paused', forMs } }]),
    );
  });

  it.each([
    [BACK_AT, 'Resume automatic fallback (until 14:32)'],
    [null, 'Resume automatic fallback'],
  ])('when it is paused until %s, then it can be resumed', (until, said) => {
    const rows = menuOf({ with: { pause: { until, since: AT, by: 'cli' }, rev: 3 } });
    expect(actionOf(rows, said)).toEqual({ kind: 'act', rev: 3, act: { type: 'switching.resumed' } });
    expect(rows.map(textOf)).not.toContain('Pause automatic fallback');
  });

  it.each([
    [null, ['1 h', 'Today']],
    [AT, ['1 h', 'Today']],
  ])('when notices are muted until %s, then they can be muted', (until, said) => {
    expect(under(menuOf({}, until), 'Mute notifications').map(textOf)).toEqual(said);
  });

  it('when notices are muted, then they can be heard again', () => {
    const rows = menuOf({}, BACK_AT);
    expect(actionOf(rows, 'Unmute notifications (until 14:32)')).toEqual({ kind: 'mute', span: null });
    expect(rows.map(textOf)).not.toContain('Mute notifications');
  });

  it('when a scorecard is wanted, then it is of the session in which something happened last', () => {
    const speakers = [{ project: 'shop' }, { project: 'blog' }];
    const sessions = [...worldOf({ speakers }).sessions].reverse();
    const formatsOf = (world: World) =>
      under(menuOf(world), 'Export last scorecard').map((row) => row.kind === 'action' && row.action);
    expect(formatsOf({ with: { sessions } })).toEqual(
      ['md', 'json', 'html', 'csv'].map((format) => ({ kind: 'export', format, session: 'ses_1' })),
    );
    expect(formatsOf({})[0]).toEqual({ kind: 'export', format: 'md', session: null });
  });
});

const HIDDEN = ['\u0000', '\n', '\t', '\u001b', '\u2028', '\u202e', '\u2066', '\u200f', '\ud800'];
const odd = fc.string({ unit: fc.constantFrom(...'azAZ&- ', '😀', ...HIDDEN), minLength: 1, maxLength: 90 });
const name = fc.constantFrom(...(Object.keys(MODELS) as (keyof typeof MODELS)[]));
const time = fc.constantFrom(null, AT - 1, AT + 59_000, BACK_AT);
const limits = fc
  .record({ provider: odd, label: fc.option(odd, { nil: null }), isApart: fc.boolean() })
  .chain((account) =>
    fc
      .array(
        fc
          .record({
            ...{ used: fc.double({ min: 0, max: 2, noNaN: true }), family: fc.option(odd, { nil: null }) },
            ...{ isRefusing: fc.boolean(), isPlan: fc.boolean(), isOverdrawable: fc.boolean() },
            resetAt: fc.constantFrom(null, AT, AT + 1, AT + 3_600_000, AT + 2_000_000_000),
          })
          .map((change) => windowRow(AT, change)),
        { maxLength: 3 },
      )
      .map((windows) => ({ ...account, account: account.provider, windows })),
  );
const world: fc.Arbitrary<World> = fc.record({
  speakers: fc.array(
    fc.record({
      ...{
        agent: odd,
        at: fc.nat(2),
        project: odd,
        isOut: fc.boolean(),
        hasNoClock: fc.boolean(),
        isLeftOut: fc.boolean(),
      },
      chain: fc.uniqueArray(name, { minLength: 3 }),
    }),
    { maxLength: 12 },
  ),
  chains: fc.array(fc.uniqueArray(name), { maxLength: 3 }),
  models: fc.dictionary(name, fc.constantFrom(...MODEL_STATES)),
  with: fc.record({
    connection: fc.record({
      status: fc.constantFrom('waiting' as const, 'connected' as const, 'lost' as const, 'incompatible' as const),
      since: fc.constant(0),
    }),
    headroom: fc.array(limits, { maxLength: 4 }),
    pause: fc.option(fc.record({ until: time, since: fc.constant(AT), by: odd }), { nil: null }),
    events: fc.array(
      fc
        .record({ agent: odd, detail: odd, code: fc.constantFrom('switch.lead', 'drill.failed', 'made.up', 'home.a') })
        .map(eventRow),
      { maxLength: 3 },
    ),
  }),
});

/** The conditions of the table, each by itself. */
function applies({
  connection,
  sessions,
  models,
  chains,
  pause,
  questions,
}: Snapshot): readonly (readonly [TrayIcon, boolean])[] {
  const live = sessions.filter(({ isLive }) => isLive).flatMap(({ agents }) => agents);
  const members = new Set([...chains, ...live].flatMap(({ chain }) => chain.map(({ model }) => model)));
  const inChain = (...states: string[]) =>
    models.some(({ model, state }) => members.has(model) && states.includes(state));
  const isOut = ({ state, code }: (typeof live)[number]['chain'][number]) =>
    state === 'held' ? code !== 'held.closed' : ['cooling', 'open', 'blocked'].includes(state);
  const hasNone = ({ chain }: (typeof live)[number]) => chain.every(isOut);
  // While switching is paused, no other model takes the message again.
  const isHeldBack = ({ chain: [first] }: (typeof live)[number]) =>
    pause !== null && first !== undefined && (isOut(first) || first.state === 'probing');
  const present = live.filter(({ isLeftOut, waits }) => !isLeftOut && waits === undefined);
  const isDown = (row: (typeof live)[number]) => (row.status === 'exhausted' && !isHeldBack(row)) || hasNone(row);
  return [
    ['disconnected', connection.status === 'lost' || connection.status === 'incompatible'],
    ['attention', questions.length > 0 || live.some(({ isLeftOut, waits }) => !isLeftOut && waits !== undefined)],
    ['all-down', present.some(isDown)],
    ['attention', live.some(({ isLeftOut }) => isLeftOut)],
    ['paused', pause !== null],
    ['attention', inChain('blocked')],
    ['fallback', present.some((row) => row.position > 0 && !isDown(row))],
    ['cooling', inChain('cooling', 'open')],
    ['healthy', live.length > 0],
    ['healthy-idle', true],
  ];
}

describe('given what waits for a person', () => {
  it('when a question waits, then its answers are in the menu, and asked of what was seen', () => {
    const question = { id: 'q1', session: 'ses_1', agent: 'oracle', model: MODELS.opus, to: MODELS.gpt };
    const rows = under(
      menuOf({ with: { rev: 41, questions: [{ ...question, kind: 'rate_limit', skippedAt: BACK_AT }] } }),
      '⚑ May gpt-5 answer for oracle?',
    );
    const answer = { kind: 'act', rev: 41, act: { type: 'question.answered', question: 'q1' } };
    expect([actionOf(rows, 'Yes'), actionOf(rows, 'No')]).toEqual(
      [true, false].map((yes) => ({ ...answer, act: { ...answer.act, yes } })),
    );
  });

  it('when an agent is left out, then it can be brought back, and not held where it does not speak', () => {
    const rows = under(menuOf({ speakers: [{ agent: 'oracle', isLeftOut: true }], with: { rev: 41 } }), '✕ oracle');
    expect([actionOf(rows, 'Bring back'), actionOf(rows, 'Pin here')]).toEqual([
      { kind: 'act', rev: 41, act: { type: 'speaker.retried', session: 'ses_1', agent: 'oracle' } },
      null,
    ]);
  });
});

describe('given any snapshot', () => {
  it.each(['en', 'de'] as const)(
    'when its menu is made in %s, then each label fits, says no second, has nothing hidden, and what it asks for exists',
    (language) => {
      fc.assert(
        fc.property(world, time, (any, mutedUntil) => {
          const snapshot = worldOf(any);
          const parts = language === 'de' ? german : {};
          const [rows, tooltip] = saidIn(language, parts, () => [
            allOf(trayMenu(snapshot, { mutedUntil })),
            trayTooltip(snapshot),
          ]);
          for (const said of [tooltip, ...rows.map(textOf)]) {
            expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\d:\d\d:\d\d|\d ?s\b/u);
            expect(said.trim()).not.toBe('');
          }
          expect(rows.filter((row) => [...textOf(row)].length > 48)).toEqual([]);
          for (const row of rows) if (row.kind === 'action') expect(TRAY_QUESTIONS).toHaveProperty(row.action.kind);
          expect(rows.filter(({ kind }) => kind === 'submenu').length).toBeLessThanOrEqual(8 + 3);
        }),
        // 100 in the nightly run.
        { numRuns: runs(1_000, 25) },
      );
    },
  );

  it('when several states apply, then the first of the table is shown', () => {
    fc.assert(
      fc.property(world, (any) => {
        const snapshot = worldOf(any);
        expect(trayIcon(snapshot)).toBe(applies(snapshot).find(([, isSo]) => isSo)?.[0]);
      }),
    );
  });
});

describe('given runs of councils', () => {
  const { run } = councilRow();
  const say = (word: object) => ({ kind: 'council', run, word });

  it('when one is under way, then the menu says how it stands, and it can be opened and stopped', () => {
    const rows = under(menuOf({ with: { councils: [councilRow()] } }), '● Council on storefront-api · stage 2 of 6');
    expect(rows.map(textOf)).toEqual(['Open…', 'Stop']);
    expect([actionOf(rows, 'Open'), actionOf(rows, 'Stop')]).toEqual([
      { kind: 'go', hash: `#/council/${run}` },
      say({ kind: 'stop' }),
    ]);
  });

  it('when one asks, then it comes first, with what it asks, yes and no, and is not told twice', () => {
    const world = { with: { councils: [councilRow({ run: 'other' }), askingCouncil()] } };
    const rows = menuOf(world);
    expect(rows.map(textOf).filter((words) => words.includes('Council'))).toEqual([
      '⚑ Council on storefront-api · asks about Claude',
      '● Council on storefront-api · stage 2 of 6',
    ]);
    const menu = under(rows, '⚑ Council');
    expect(menu.map(textOf).slice(1)).toEqual(['Yes', 'No', '-', 'Open…', 'Stop']);
    expect(menu[0]).toMatchObject({
      kind: 'text',
      label: expect.stringMatching(/^claude-sonnet-4-5 is ra.*for Claude\?$/),
    });
    expect([actionOf(menu, 'Yes'), actionOf(menu, 'No')]).toEqual([
      say({ kind: 'answer', yes: true, question: 'q1' }),
      say({ kind: 'answer', yes: false, question: 'q1' }),
    ]);
    expect(trayIcon(worldOf(world))).toBe('attention');
  });

  it('when one is paused at its cap, then going on is asked; when everybody is offline, there is nothing to say yes to', () => {
    const menu = (state: 'paused_for_user' | 'paused') =>
      under(menuOf({ with: { councils: [councilRow({ state })] } }), '⚑ Council').map(textOf);
    expect(menu('paused_for_user')).toEqual(['Continue past the cap?', 'Yes', 'No', '-', 'Open…', 'Stop']);
    expect(menu('paused')).toEqual(['Open…', 'Stop']);
  });

  it('when one was left, then it can be opened; when it is over, the menu has nothing of it', () => {
    const left = councilRow({ state: 'left', isPlayed: false, begunAt: AT });
    expect(under(menuOf({ with: { councils: [left] } }), '↓ Council').map(textOf)).toEqual(['Open…']);
    const over = councilRow({ state: 'finished', isPlayed: false });
    expect(
      menuOf({ with: { councils: [over] } })
        .map(textOf)
        .join(),
    ).not.toContain('Council');
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TuiApi } from '../../../src/plugin/tui/host';
import type { TuiContext } from '../../../src/plugin/tui/host2';
import plugin from '../../../src/plugin/tui/index';
import { TUI_HELLO, TUI_STATUS } from '../../../src/plugin/tui/messages';

type Element = { drawn: string; fg?: unknown };

const solid = vi.hoisted(() => ({ watched: [] as (() => void)[], breaks: false }));

// What OpenCode gives a plugin of its terminal to draw with: what is drawn follows what is told.
vi.mock('@opentui/solid', () => {
  const effect = (run: () => void): void => {
    solid.watched.push(run);
    run();
  };
  return {
    createElement: (): Element => ({ drawn: '' }),
    setProp: (element: Element, name: 'fg', value: unknown) => Object.assign(element, { [name]: value }),
    insert: (element: Element, content: () => string) =>
      effect(() => {
        element.drawn = content();
      }),
    effect,
  };
});
vi.mock('solid-js', () => ({
  createSignal<T>(value: T): [() => T, (next: T) => void] {
    let now = value;
    return [
      () => now,
      (next) => {
        if (solid.breaks) throw new Error('drawn by others');
        now = next;
        for (const run of solid.watched) run();
      },
    ];
  },
}));

const STATUS = { home: { text: 'build: one ready', tone: 'well' }, sessions: {} };
const OTHER = { home: { text: 'build: two (2 of 2)', tone: 'away' }, sessions: {} };
const broken = (): never => {
  throw new Error('this is another OpenCode');
};

/** What went wrong that nobody has caught. */
let unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeEach(() => {
  unhandled = [];
  Object.assign(solid, { watched: [], breaks: false });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  vi.useRealTimers();
});

/** All that is under way has come to its end. */
const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
};

/** The terminal of an OpenCode 1, all or part of it as another release may have it. */
function terminal1(otherwise: Partial<Record<keyof TuiApi, unknown>> = {}) {
  const asked: unknown[] = [];
  const handlers = new Map<string, (event: never) => void>();
  const slots: ((context: unknown) => unknown)[] = [];
  const ends: (() => void)[] = [];
  const api = {
    state: { path: { directory: '/project' } },
    client: {
      tui: { publish: async ({ body }: { body: { properties: unknown } }) => void asked.push(body.properties) },
    },
    event: {
      on: (type: string, handler: (event: never) => void) => {
        handlers.set(type, handler);
        return () => void handlers.delete(type);
      },
    },
    route: { current: { name: 'home' } },
    slots: {
      register: (given: { slots: { app_bottom: (typeof slots)[number] } }) => slots.push(given.slots.app_bottom),
    },
    lifecycle: { onDispose: (run: () => void) => void ends.push(run) },
    ...otherwise,
  } as unknown as TuiApi;
  return {
    ...{ api, asked, handlers },
    draw: (theme: unknown = { current: { textMuted: 'grey', warning: 'amber' } }) =>
      slots[0]?.({ theme }) as Element | null,
    tell: (status: unknown) =>
      handlers.get('tui.command.execute')?.({ properties: { command: TUI_STATUS + JSON.stringify(status) } } as never),
    end: () => ends[0]?.(),
  };
}

describe('given the terminal of an OpenCode 1', () => {
  it('when it is as it was seen, then the companion is asked until it answers, its line is drawn, and all ends with the plugin', async () => {
    const { api, asked, handlers, draw, tell, end } = terminal1();
    await plugin.tui(api);
    const element = draw();
    vi.advanceTimersByTime(2_000);
    expect([asked, element?.drawn]).toEqual([[{ command: TUI_HELLO }, { command: TUI_HELLO }], '']);
    tell(STATUS);
    expect(element).toMatchObject({ drawn: '  build: one ready', fg: 'grey' });
    tell(OTHER);
    expect(element).toMatchObject({ drawn: '  build: two (2 of 2)', fg: 'amber' });
    vi.advanceTimersByTime(60_000);
    end();
    expect([asked.length, handlers.size]).toEqual([2, 0]);
  });

  it.each<[string, Partial<Record<keyof TuiApi, unknown>>]>([
    ['has no slots', { slots: undefined }],
    ['has slots that are registered otherwise', { slots: { register: broken } }],
    ['has no events', { event: undefined }],
    ['has events that throw', { event: { on: broken } }],
    ['tells of no end', { lifecycle: {} }],
  ])('when it %s, then nothing is thrown, and nothing goes on', async (_, otherwise) => {
    const { api, asked, handlers } = terminal1(otherwise);
    await expect(plugin.tui(api)).resolves.toBeUndefined();
    vi.advanceTimersByTime(60_000);
    await settled();
    expect([asked, handlers.size, unhandled]).toEqual([[], 0, []]);
  });

  it.each<[string, Partial<Record<keyof TuiApi, unknown>>]>([
    ['has no commands', { client: {} }],
    ['has commands that throw', { client: { tui: { publish: broken } } }],
    ['has commands that fail', { client: { tui: { publish: () => Promise.reject(new Error('no')) } } }],
    ['has commands that answer at once', { client: { tui: { publish: () => undefined } } }],
  ])('when it %s, then nothing is thrown while it is asked, again and again', async (_, otherwise) => {
    const { api, end } = terminal1(otherwise);
    await plugin.tui(api);
    expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
    await settled();
    expect(unhandled).toEqual([]);
    end();
  });

  it('when it draws otherwise, then its slot stays empty, and what it tells is nobody’s failure', async () => {
    const { api, draw, tell, end } = terminal1({ route: undefined });
    await plugin.tui(api);
    expect(draw('no theme')).toEqual({ drawn: '', wrapMode: 'none' });
    solid.breaks = true;
    expect(() => tell(STATUS)).not.toThrow();
    expect(end).not.toThrow();
  });
});

/** The same of an OpenCode 2. */
function terminal2(
  otherwise: Partial<Record<keyof TuiContext, unknown>> = {},
  answer: () => unknown = async () => STATUS,
) {
  const handlers = new Map<string, (event: unknown) => void>();
  const slots = new Map<string, (input: unknown) => unknown>();
  const context = {
    location: { directory: '/project' },
    data: {
      on: (type: string, handler: (event: unknown) => void) => {
        handlers.set(type, handler);
        return () => void handlers.delete(type);
      },
    },
    client: { rpc: () => ({ status: answer }) },
    theme: { text: { muted: 'grey', feedback: { warning: { base: 'amber' }, error: { base: 'red' } } } },
    ui: {
      slot: ({ append, render }: { append: string; render: (input: unknown) => unknown }) => {
        slots.set(append, render);
        return () => void slots.delete(append);
      },
      toast: { show: broken },
    },
    ...otherwise,
  } as unknown as TuiContext;
  return {
    ...{ context, handlers, slots },
    draw: () => slots.get('home.footer.status')?.({}) as Element | null,
    tell: (name: string, data: unknown) =>
      handlers.get(`rpc.understudy.${name}`)?.({ location: { directory: '/project' }, data }),
  };
}

describe('given the terminal of an OpenCode 2', () => {
  it('when it is as it was seen, then the companion’s line is drawn, and all ends with the plugin', async () => {
    const { context, handlers, slots, draw, tell } = terminal2();
    const end = await plugin.setup(context);
    await settled();
    const element = draw();
    expect(element).toMatchObject({ drawn: 'build: one ready', fg: 'grey' });
    tell('status', OTHER);
    expect(element).toMatchObject({ drawn: 'build: two (2 of 2)', fg: 'amber' });
    end();
    expect([handlers.size, slots.size, unhandled]).toEqual([0, 0, []]);
  });

  it.each<[string, Partial<Record<keyof TuiContext, unknown>>]>([
    ['has no places to draw in', { ui: {} }],
    ['has places that are taken otherwise', { ui: { slot: broken } }],
    ['has no events', { data: {} }],
    ['carries no questions', { client: {} }],
    ['says nothing of where it is', { location: undefined, data: { on: () => () => undefined } }],
  ])('when it %s, then nothing is thrown, and nothing goes on', async (_, otherwise) => {
    const { context, handlers, slots } = terminal2(otherwise);
    const end = await plugin.setup(context);
    await settled();
    expect([handlers.size, slots.size, unhandled]).toEqual([0, 0, []]);
    expect(end).not.toThrow();
  });

  it('when what is told cannot be drawn, or a toast not be shown, then nobody hears of it', async () => {
    solid.breaks = true;
    const { context, tell } = terminal2();
    await plugin.setup(context);
    await settled();
    expect(() => tell('notice', { message: 'build switched', variant: 'info' })).not.toThrow();
    expect(() => tell('status', STATUS)).not.toThrow();
    expect(unhandled).toEqual([]);
  });
});

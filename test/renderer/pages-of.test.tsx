import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Pages, useCalm, usePages } from '../../src/renderer/app/pages-of';
import './render-panel';

type Row = Readonly<{ name: string; version: number }>;
type Asked = Readonly<{ about: string; news?: string; isSteady?: boolean }>;

const PAGE = 3;
let root: Root;
let all: readonly Row[];
let asked: (string | null)[];
let failure: string | null;
let pages: Pages<Row, number>;

const named = (...names: string[]): Row[] => names.map((name) => ({ name, version: 1 }));

async function ask(before: string | null) {
  asked.push(before);
  if (failure !== null) throw new Error(failure);
  const from = before === null ? 0 : all.findIndex(({ name }) => name === before) + 1;
  const rows = all.slice(from, from + PAGE);
  const next = from + PAGE < all.length ? (rows.at(-1)?.name ?? null) : null;
  return { rows, next, answer: all.length };
}

function Reader({ about, news = '', isSteady = false }: Asked) {
  pages = usePages({ ask, about, news, keyOf: ({ name }: Row) => name, isSteady: () => isSteady });
  return null;
}

const show = (input: Asked) => act(async () => root.render(<Reader {...input} />));
const more = () => act(async () => pages.more());
const names = () => pages.rows.map(({ name }) => name).join('');

beforeEach(() => {
  root = createRoot(document.createElement('div'));
  all = named('a', 'b', 'c', 'd', 'e', 'f', 'g');
  asked = [];
  failure = null;
});
afterEach(() => act(() => root.unmount()));

describe('given a long answer of 7 rows on pages of 3', () => {
  it('when it is read to its end, then each page is asked for once, and every row is there in order', async () => {
    await show({ about: 'x' });
    expect([names(), pages.hasMore, pages.answer]).toEqual(['abc', true, 7]);
    for (let page = 0; page < 4; page++) await more();
    expect([names(), pages.hasMore, asked]).toEqual(['abcdefg', false, [null, 'c', 'f']]);
  });

  it('when the end is asked for twice at once, then it is read once', async () => {
    await show({ about: 'x' });
    await act(async () => {
      pages.more();
      pages.more();
    });
    expect([names(), asked]).toEqual(['abcdef', [null, 'c']]);
  });

  it('when a row comes on top after two pages were read, then none is lost, and none is there twice', async () => {
    await show({ about: 'x' });
    await more();
    all = [{ name: 'new', version: 1 }, { name: 'a', version: 2 }, ...all.slice(1)];
    await show({ about: 'x', news: '1' });
    expect(names()).toBe('newabcdef');
    expect(pages.rows[1]?.version).toBe(2);
    await more();
    expect(names()).toBe('newabcdefg');
  });

  it('when rows change their order while they must stay, then they stay, with what is new of them', async () => {
    await show({ about: 'x', isSteady: true });
    all = [{ name: 'c', version: 2 }, ...named('new', 'a', 'b', 'd', 'e', 'f', 'g')];
    await show({ about: 'x', news: '1', isSteady: true });
    expect([names(), pages.rows.find(({ name }) => name === 'c')?.version]).toEqual(['newac', 2]);
  });

  it('when it is about something else, then nothing of the old answer is left, but only once the new one is there', async () => {
    await show({ about: 'x' });
    await more();
    all = named('z');
    act(() => root.render(<Reader about="y" />));
    expect(names()).toBe('abcdef');
    await act(async () => {});
    expect([names(), pages.hasMore, pages.answer]).toEqual(['z', false, 1]);
  });

  it('when a question fails, then it says why and keeps what was read, until asking again goes well', async () => {
    await show({ about: 'x' });
    failure = 'disk I/O error';
    await more();
    expect([names(), pages.problem, pages.hasMore]).toEqual(['abc', 'disk I/O error', true]);
    failure = null;
    await act(async () => pages.again());
    expect([names(), pages.problem]).toEqual(['abc', null]);
    await more();
    expect(names()).toBe('abcdef');
  });
});

describe('given a value that changes every 100 ms', () => {
  afterEach(() => vi.useRealTimers());

  it('when it may change once in 300 ms, then it is drawn 6 times in a second instead of 11, the latest at the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const drawn: number[] = [];
    const Calm = ({ value }: Readonly<{ value: number }>) => {
      const calm = useCalm(value, 300);
      if (drawn.at(-1) !== calm) drawn.push(calm);
      return null;
    };
    act(() => root.render(<Calm value={0} />));
    for (let value = 1; value <= 10; value++) {
      act(() => root.render(<Calm value={value} />));
      act(() => vi.advanceTimersByTime(100));
    }
    act(() => vi.advanceTimersByTime(300));
    expect([drawn.length, drawn.at(-1)]).toEqual([6, 10]);
  });
});

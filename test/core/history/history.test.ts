import { describe, expect, it } from 'vitest';
import { plainRow } from '../../../src/core/history/event-rows';
import { createHistory, NO_ARCHIVE } from '../../../src/core/history/history';

const passed = plainRow('drill.passed', { agent: 'build', to: 'b/two' });
const other = plainRow('config.loaded', { detail: 'shop' });

describe('given a drill that another model took over in', () => {
  it('when hundreds of events have come since, then it is remembered, until all is deleted', () => {
    const history = createHistory(NO_ARCHIVE);
    const before = history.lastDrill();
    history.note(passed, 1_000);
    for (let n = 0; n < 600; n++) history.note(other, 2_000 + n);
    expect([before, history.rows().some(({ code }) => code === passed.code)]).toEqual([null, false]);
    expect(history.lastDrill()).toMatchObject({ code: 'drill.passed', agent: 'build', to: 'b/two', at: 1_000 });
    history.forget();
    expect(history.lastDrill()).toBeNull();
  });

  it('when it was in an earlier life, then it is read from where events are kept, however many came since', () => {
    const { turn: _, ...row } = { ...passed, id: 7, at: 1_000 };
    const asked: unknown[] = [];
    const history = createHistory({
      ...NO_ARCHIVE,
      events: {
        kept: () => ({ newest: 4_000, oldest: 1, count: 4_000 }) as never,
        page: (query) => {
          asked.push(query.filter);
          return query.filter.codes ? [row] : [];
        },
      },
    });
    expect([history.lastDrill(), asked]).toEqual([row, [{ codes: ['drill.passed'] }, {}]]);
  });
});

import type { EventFilter, EventRow, PanelApi } from '../../contract';

/** Events asked for at once, in whole. */
const PAGE = 500;

/**
 * Every event that fits, newest first, page by page: what comes meanwhile is not among them.
 *
 * @throws Error with a message for people when the core does not answer.
 */
export async function* allEvents(api: PanelApi, filter: EventFilter): AsyncIterable<readonly EventRow[]> {
  let before: number | undefined;
  for (;;) {
    const { events } = await api.ask('events.page', {
      filter,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    const last = events.at(-1);
    if (!last) return;
    yield events;
    before = last.id;
  }
}

export const jsonLines = (events: readonly EventRow[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

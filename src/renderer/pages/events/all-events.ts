import type { PanelApi } from '../../../contract/contract';
import type { EventFilter } from '../../../contract/events';
import type { EventRow } from '../../../contract/snapshot';

const PAGE = 500;

/** Newest first, without events that arrive meanwhile. @throws Error with a message for the user. */
export async function* allEvents(api: PanelApi, filter: EventFilter): AsyncIterable<readonly EventRow[]> {
  let before: number | undefined;
  for (let offset = 0; ; ) {
    const bounds = before === undefined ? {} : { before };
    const { events, newest } = await api.ask('events.page', { filter, limit: PAGE, offset, ...bounds });
    if (events.length === 0) return;
    yield events;
    before ??= newest + 1;
    offset += events.length;
  }
}

export const jsonLines = (events: readonly EventRow[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

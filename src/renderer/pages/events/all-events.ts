import type { PanelApi } from '../../../contract/contract';
import type { EventFilter } from '../../../contract/events';
import type { EventRow } from '../../../contract/snapshot';

/** Events asked for at once, in whole. */
const PAGE = 500;

/**
 * Every event that fits, newest first, page by page: what comes meanwhile is not among them.
 *
 * @throws Error with a message for people when the core does not answer.
 */
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

import { EventFilter } from '../../../contract/events';
import { hrefOf } from '../../app/routes';

/** Filter fields and their query names. */
const SINGLE = [
  ['agent', 'agent'],
  ['model', 'model'],
  ['provider', 'provider'],
  ['session', 'session'],
  ['actor', 'by'],
  ['text', 'q'],
] as const;
const TIMES = [
  ['sinceMs', 'from'],
  ['untilMs', 'to'],
] as const;
const SEVERAL = [
  ['codes', 'code'],
  ['kinds', 'kind'],
] as const;

/** Invalid filters are omitted. */
export function filterOf(query: string): EventFilter {
  const params = new URLSearchParams(query);
  const found: Record<string, unknown> = {};
  for (const [field, name] of SINGLE) if (params.get(name)) found[field] = params.get(name);
  for (const [field, name] of TIMES) if (params.get(name)) found[field] = Number(params.get(name));
  for (const [field, name] of SEVERAL) if (params.has(name)) found[field] = params.getAll(name);
  const whole = EventFilter.safeParse(found);
  if (whole.success) return whole.data;
  for (const { path } of whole.error.issues) delete found[String(path[0])];
  return EventFilter.safeParse(found).data ?? {};
}

export function eventsHref(filter: EventFilter, id?: number): string {
  const query = new URLSearchParams();
  for (const [field, name] of [...SINGLE, ...TIMES]) {
    const value = filter[field];
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  for (const [field, name] of SEVERAL) for (const value of filter[field] ?? []) query.append(name, value);
  const text = query.toString();
  return text === '' ? hrefOf('events', id) : `${hrefOf('events', id)}?${text}`;
}

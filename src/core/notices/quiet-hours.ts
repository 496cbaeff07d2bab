import type { Preferences } from '../../contract/preferences';

type Hours = Preferences['notices']['quietHours'];

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** `wall` is wall-clock ms. Equal start and end mean all day. */
export function isQuiet({ enabled, from, until }: Hours, wall: number): boolean {
  if (!enabled) return false;
  const date = new Date(wall);
  const [now, start, end] = [60 * date.getHours() + date.getMinutes(), minutesOf(from), minutesOf(until)];
  return start < end ? now >= start && now < end : now >= start || now < end;
}

export function quietEnd({ until }: Hours, wall: number): number {
  const minutes = minutesOf(until);
  const date = new Date(wall);
  date.setHours(Math.floor(minutes / 60), minutes % 60, 0, 0);
  if (date.getTime() <= wall) date.setDate(date.getDate() + 1);
  return date.getTime();
}

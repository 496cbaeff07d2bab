import { join } from 'node:path';
import * as z from 'zod';
import type { SharedHealth } from '../engine/tools';
import { asSharedHealth, SharedHealth as Schema } from '../protocol';
import type { Reading } from './shared-file';

/** Bump when an older companion could not read what this one writes. */
const VERSION = 1;

/** Where companions share health while no app is there. */
export const healthPath = (home: string): string => join(home, 'health.json');

/** What processes without an app have found out. */
export type Found = Readonly<{
  health: SharedHealth;
  /** Who has written it, as process ids; those that have ended may be left out. */
  by: readonly number[];
}>;

/** What was found as its file holds it. */
export const healthJson = ({ health, by }: Found): unknown => ({ v: VERSION, health, by });

const Versioned = z.object({ v: z.number() });
const Content = z.object({
  v: z.literal(VERSION),
  health: Schema,
  // An older companion does not say it.
  by: z.array(z.int().positive()).max(1_000).catch([]),
});

/** Reads what {@link healthJson} has made, by this version or another. */
export function readHealth(json: unknown): Reading<Found> {
  const content = Content.safeParse(json);
  if (content.success) return { value: { health: asSharedHealth(content.data.health), by: content.data.by } };
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}

import { join } from 'node:path';
import * as z from 'zod';
import type { SharedHealth } from '../engine/tools';
import { asSharedHealth, SharedHealth as Schema } from '../protocol';
import type { Reading } from './shared-file';

/** Bump when an older companion could not read what this one writes. */
const VERSION = 1;

/** Where companions share health while no app is there. */
export const healthPath = (home: string): string => join(home, 'health.json');

/** Health as its file holds it. */
export const healthJson = (health: SharedHealth): unknown => ({ v: VERSION, health });

const Versioned = z.object({ v: z.number() });
const Content = z.object({ v: z.literal(VERSION), health: Schema });

/** Reads what {@link healthJson} has made, by this version or another. */
export function readHealth(json: unknown): Reading<SharedHealth> {
  const content = Content.safeParse(json);
  if (content.success) return { value: asSharedHealth(content.data.health) };
  return (Versioned.safeParse(json).data?.v ?? 0) > VERSION ? 'newer' : 'damaged';
}

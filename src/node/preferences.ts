import { join } from 'node:path';
import * as z from 'zod';
import { failureText } from './failure';
import { MAX_CONFIG_BYTES, readText } from './read-text';
import { DEFAULT_KEEPING, type Keeping } from './store/keep';

const MEBIBYTE = 1_048_576;
const DAYS_MOST = 3_650;
const MEBIBYTES_MOST = 65_536;

const Preferences = z.object({
  history: z
    .object({
      detailDays: z.int().min(1).max(DAYS_MOST).default(DEFAULT_KEEPING.detailDays),
      maxMebibytes: z
        .int()
        .min(16)
        .max(MEBIBYTES_MOST)
        .default(DEFAULT_KEEPING.maxBytes / MEBIBYTE),
    })
    .prefault({}),
});

/** What cannot be read may have asked for more than is usual, and what is given up does not come back. */
const EVERYTHING: Keeping = { detailDays: DAYS_MOST, maxBytes: MEBIBYTES_MOST * MEBIBYTE };

/** Where the app's preferences lie. A person writes them; Understudy only reads. */
export const preferencesPath = (home: string): string => join(home, 'preferences.json');

/** How much history is kept, as the preferences have it, and what of them is not understood. Never rejects. */
export async function readKeeping(home: string): Promise<Readonly<{ keeping: Keeping; notice: string | null }>> {
  const path = preferencesPath(home);
  const read = await readText(path, MAX_CONFIG_BYTES);
  if (read.kind === 'missing') return { keeping: DEFAULT_KEEPING, notice: null };
  const wrong = (why: string) => ({
    keeping: EVERYTHING,
    notice: `${path} is not understood, so the whole history is kept until it is mended: ${why}`,
  });
  if (read.kind === 'unreadable') return wrong(read.reason);
  try {
    const { success, data, error } = Preferences.safeParse(JSON.parse(read.text));
    if (!success) return wrong(error.issues.map(({ path: key, message }) => `${key.join('.')}: ${message}`).join('; '));
    const { detailDays, maxMebibytes } = data.history;
    return { keeping: { detailDays, maxBytes: maxMebibytes * MEBIBYTE }, notice: null };
  } catch (error) {
    return wrong(failureText(error));
  }
}

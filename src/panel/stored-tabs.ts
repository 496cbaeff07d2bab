import { join } from 'node:path';
import * as z from 'zod';
import { countError } from '../core/base/internal-errors';
import { writeFileAtomic } from '../node/base/atomic-file';
import { readPrivateJson } from '../node/base/private-folder';

/** Time after its last question in which a later panel lets a tab in, in ms. */
const STORED_MS = 86_400_000;
const MAX_BYTES = 20_000;
const TABS_MAX = 16;

/** A tab for a later panel: its id, the key made of its secret (see `keyText`), and when it last asked, in Unix ms. */
export const StoredTab = z.object({
  id: z.string().regex(/^[\w-]{22}$/),
  key: z.string().regex(/^[\w-]{43}$/),
  at: z.number().nonnegative(),
});
export type StoredTab = Readonly<z.infer<typeof StoredTab>>;
export const StoredTabs = z.object({ v: z.literal(1), tabs: z.array(StoredTab).max(TABS_MAX) });

export const tabsPath = (home: string): string => join(home, 'panel-tabs.json');

/** Reads the tabs of an earlier panel, and writes those of this one. A lost file costs its user one address. */
export type TabStore = Readonly<{
  read(): Promise<readonly StoredTab[]>;
  write(tabs: readonly StoredTab[]): Promise<void>;
}>;

/** The tabs in a state home, readable by its user alone. */
export function tabsIn(home: string): TabStore {
  let writing = Promise.resolve();
  return {
    async read() {
      const stored = await readPrivateJson(tabsPath(home), MAX_BYTES, StoredTabs);
      const now = Date.now();
      return (stored?.tabs ?? []).filter(({ at }) => at <= now && now - at < STORED_MS);
    },
    write(tabs) {
      writing = writing.then(async () => {
        const text = JSON.stringify({ v: 1, tabs: [...tabs] } satisfies z.infer<typeof StoredTabs>);
        const written = await writeFileAtomic(tabsPath(home), text);
        if (!written.ok) countError('panel.tabs', new Error(written.reason));
      });
      return writing;
    },
  };
}

import { join } from 'node:path';
import * as z from 'zod';
import { countError } from '../core/base/internal-errors';
import { writeFileAtomic } from '../node/base/atomic-file';
import { readPrivateJson } from '../node/base/private-folder';

/** Time after its last request in which a later panel admits a tab, in ms. */
const STORED_MS = 86_400_000;
const MAX_BYTES = 20_000;
export const TABS_MAX = 16;

/** The key derives from its secret (see `keyText`); `at` is its last request in Unix ms. */
export const StoredTab = z.object({
  id: z.string().regex(/^[\w-]{22}$/),
  key: z.string().regex(/^[\w-]{43}$/),
  at: z.number().nonnegative(),
});
export type StoredTab = Readonly<z.infer<typeof StoredTab>>;
export const StoredTabs = z.object({
  v: z.literal(1),
  tabs: z.array(StoredTab).max(TABS_MAX),
  /** Port of their panel: tabs reconnect only to it. */
  port: z.int().min(1).max(65_535).optional(),
});

export const tabsPath = (home: string): string => join(home, 'panel-tabs.json');

/** Tabs that may reconnect, and their port; null without any. */
export type EarlierTabs = Readonly<{ tabs: readonly StoredTab[]; port: number | null }>;

/** If the file is lost, the user opens the printed address again. */
export type TabStore = Readonly<{
  read(): Promise<EarlierTabs>;
  write(tabs: readonly StoredTab[], port: number): Promise<void>;
}>;

export function tabsIn(home: string): TabStore {
  let latest: z.infer<typeof StoredTabs> | null = null;
  let writing: Promise<void> = Promise.resolve();
  const writeLatest = async (): Promise<void> => {
    if (latest === null) return;
    const text = JSON.stringify(latest);
    latest = null;
    const written = await writeFileAtomic(tabsPath(home), text);
    if (!written.ok) countError('panel.tabs', new Error(written.reason));
  };
  return {
    async read() {
      const stored = await readPrivateJson(tabsPath(home), MAX_BYTES, StoredTabs);
      const now = Date.now();
      const tabs = (stored?.tabs ?? []).filter(({ at }) => at <= now && now - at < STORED_MS);
      return { tabs, port: tabs.length === 0 ? null : (stored?.port ?? null) };
    },
    write(tabs, port) {
      // Calls during a write share one further write, of the latest tabs.
      const isWaiting = latest !== null;
      latest = { v: 1, tabs: [...tabs], port };
      if (!isWaiting) writing = writing.then(writeLatest);
      return writing;
    },
  };
}

import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import type { Desktop, ElectronHere } from './launch';

type StandIn = Readonly<{
  trays: readonly Readonly<{ image: Readonly<{ path: string }>; toolTip: string; menu: Menu | null }>[];
  boxes: { messages: Readonly<{ message: string; detail: string }>[]; saveTo: string | null };
  opened: readonly string[];
}>;
type Menu = Readonly<{ template: readonly Item[] }>;
type Item = Readonly<{ label?: string; enabled?: boolean; submenu?: readonly Item[]; click?: () => void }>;
type Here = ElectronHere & Readonly<{ standIn: StandIn }>;

/** Environment of a desktop that announces support for tray icons. */
export async function withTrayHost(home: string): Promise<Readonly<{ PATH: string }>> {
  const folder = join(home, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'gdbus'), "#!/bin/sh\necho '(<true>,)'\n", { mode: 0o755 });
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}

export const barOf = (desktop: Desktop) =>
  desktop.evaluate((here) => {
    const tray = (here as Here).standIn.trays.at(-1);
    const file = tray?.image.path.split(/[\\/]/).at(-1) ?? '';
    return {
      icon: file.replace(/(-\d+)?\.\w+$/, ''),
      toolTip: tray?.toolTip ?? '',
      labels: (tray?.menu?.template ?? []).map(({ label }) => label ?? '-'),
    };
  });

/** Selects a row; earlier labels, or their beginnings, name its parent menus. `isKept` uses the menu stored before. */
export const choose = (desktop: Desktop, path: readonly string[], isKept = false): Promise<void> =>
  desktop.evaluate(
    (here, { labels, isOld }) => {
      const kept = globalThis as { keptMenu?: Menu | null };
      const menu = isOld ? kept.keptMenu : (here as Here).standIn.trays.at(-1)?.menu;
      const start: Item = { submenu: menu?.template ?? [] };
      const row = labels.reduce<Item>(
        (menu, words) => menu.submenu?.find(({ label }) => label?.startsWith(words)) ?? {},
        start,
      );
      if (!row.click || row.enabled === false) throw new Error(`"${labels.join(' ▸ ')}" cannot be chosen.`);
      row.click();
    },
    { labels: path, isOld: isKept },
  );

/** Stores the current menu, as if a person had it open. */
export const keepMenu = (desktop: Desktop): Promise<void> =>
  desktop.evaluate((here) => {
    (globalThis as { keptMenu?: unknown }).keptMenu = (here as Here).standIn.trays.at(-1)?.menu;
  });

export const saveTo = (desktop: Desktop, path: string | null): Promise<void> =>
  desktop.evaluate((here, to) => {
    (here as Here).standIn.boxes.saveTo = to;
  }, path);

export const toldBy = (desktop: Desktop) =>
  desktop.evaluate((here) => {
    const { boxes, opened } = (here as Here).standIn;
    return { said: boxes.messages.map(({ detail }) => detail), opened };
  });

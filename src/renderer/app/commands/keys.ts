import type { View } from '../../../contract/shell';
import { keysTexts } from '../../../texts';

export const KEY_PLACES = ['everywhere', 'palette', 'list', 'chart', 'model', 'chain', 'ranking'] as const;
export type KeyPlace = (typeof KEY_PLACES)[number];

export type KeyRow = Readonly<{
  id: keyof ReturnType<typeof keysTexts>['what'];
  where: KeyPlace;
  /** Alternatives. `Mod` is Ctrl, or Command on a Mac; `g n` is a sequence. */
  keys: readonly string[];
  /** Handled anywhere on the page by the command with this id. */
  isPageWide?: boolean;
}>;

const page = (id: KeyRow['id'], ...keys: readonly string[]): KeyRow => ({
  id,
  where: 'everywhere',
  keys,
  isPageWide: true,
});
const local = (where: KeyPlace, id: KeyRow['id'], ...keys: readonly string[]): KeyRow => ({ id, where, keys });

export const KEYS: readonly KeyRow[] = [
  page('palette', 'Mod+k'),
  page('now', 'Mod+1', 'g n'),
  page('chains', 'Mod+2', 'g c'),
  page('models', 'Mod+3', 'g m'),
  page('sessions', 'Mod+4', 'g s'),
  page('usage', 'Mod+5', 'g u'),
  page('council', 'Mod+6', 'g o'),
  page('settings', 'Mod+7', 'Mod+,'),
  page('events', 'g e'),
  page('headroom', 'g h'),
  page('ranking', 'g r'),
  page('fleet', 'g f'),
  page('notices', 'g i'),
  page('find', '/'),
  page('export', 'Mod+e'),
  page('panes', 'F6'),
  page('panesBack', 'Shift+F6'),
  page('sheet', '?'),
  local('everywhere', 'reach', 'Tab', 'Enter'),
  local('everywhere', 'close', 'Escape'),
  local('palette', 'choices', 'Tab'),
  local('palette', 'favourite', 'Mod+d'),
  local('list', 'rows', '↑', '↓', 'j', 'k'),
  local('list', 'ends', 'Home', 'End'),
  local('list', 'pages', 'PageUp', 'PageDown'),
  local('list', 'open', 'Enter'),
  local('chart', 'points', '←', '→', 'Home', 'End'),
  local('chart', 'stretch', 'Shift+←', 'Shift+→'),
  local('chart', 'zoom', 'Enter'),
  local('model', 'probe', 'p'),
  local('model', 'reset', 'r'),
  local('model', 'hold', 'h'),
  local('chain', 'lift', 'Space'),
  local('chain', 'move', 'Alt+↑', 'Alt+↓'),
  local('chain', 'remove', 'Delete'),
  local('chain', 'add', 'a'),
  local('chain', 'undo', 'Mod+z'),
  local('chain', 'redo', 'Mod+Shift+z', 'Mod+y'),
  local('chain', 'apply', 'Mod+s'),
  local('ranking', 'values', '←', '→', '↑', '↓', 'Home', 'End'),
  local('ranking', 'approve', 'a'),
  local('ranking', 'notNow', 'n'),
  local('ranking', 'never', 'x'),
];

const isMac = (): boolean => /mac/i.test(navigator.platform);

/** "Ctrl K", "g, then n". */
export function keyLabel(key: string): string {
  const { sequence } = keysTexts();
  const [first = '', second] = key.split(' ');
  if (second !== undefined) return sequence(first, second);
  const parts = key.split('+');
  return parts.map((part) => (part.length === 1 && parts.length > 1 ? part.toUpperCase() : nameOf(part))).join(' ');
}

function nameOf(key: string): string {
  const { names } = keysTexts();
  if (key === 'Mod' && isMac()) return '⌘';
  return Object.entries(names).find(([name]) => name === key)?.[1] ?? key;
}

/** The first is displayed. */
export const keysOf = (id: string): readonly string[] =>
  KEYS.find((row) => row.isPageWide && row.id === id)?.keys ?? [];

export const viewKey = (name: View): string => keysOf(name)[0] ?? '';

const BY_KEY: ReadonlyMap<string, string> = new Map(
  KEYS.flatMap(({ id, keys, isPageWide }) => (isPageWide ? keys.map((key) => [key, id] as const) : [])),
);

export const commandOf = (key: string): string | undefined => BY_KEY.get(key);

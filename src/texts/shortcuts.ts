import { part } from './catalogue';

/** The sheet of all keys. */
export const shortcutTexts = part('shortcuts', {
  title: 'Keyboard shortcuts',
  single: 'Keys without Ctrl work on the whole page: g, / and ?',
  everywhere: {
    title: 'Everywhere',
    view: 'Go to a view',
    settings: 'Settings',
    goTo: 'Go to Now, Chains, Models, Sessions, Usage, Events',
    find: 'Find',
    sheet: 'This list',
    reach: 'Reach and use every control',
    close: 'Close what is open',
  },
  list: { title: 'In a list', rows: 'Next and previous row' },
  model: { title: 'On the page of a model', probe: 'Probe', reset: 'Reset', hold: 'Hold' },
  chain: {
    title: 'In a chain',
    lift: 'Lift and drop; arrows, Home and End move in between',
    move: 'Move without lifting',
    remove: 'Remove',
    add: 'Add a model',
    undo: 'Undo the last change of the draft',
    apply: 'Apply',
  },
  /** Keys as they are printed on a keyboard. */
  keys: {
    views: 'Ctrl 1 … 6',
    settings: 'Ctrl ,',
    goTo: 'g, then n c m s u e',
    reach: 'Tab, Enter',
    escape: 'Escape',
    rows: '↑ ↓ or j k',
    space: 'Space',
    move: 'Alt ↑ ↓',
    remove: 'Delete',
    undo: 'Ctrl Z',
    apply: 'Ctrl S',
  },
});

import * as z from 'zod';
import { LANGUAGES, type Language } from '../texts';
import { NoticeOutcome } from './notices';

/** The panel's views in the order of its navigation, each with its tabs. */
export const VIEWS = {
  now: ['now'],
  chains: ['chains', 'ranking'],
  models: ['models'],
  sessions: ['sessions', 'events'],
  usage: ['usage', 'headroom'],
  council: ['council'],
  settings: ['settings', 'setup', 'fleet'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type View = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as View[];
/** A page has an address of its own. */
export type Page = (typeof VIEWS)[View][number];
export const PAGES = Object.values(VIEWS).flat() as [Page, ...Page[]];

/** Returns the view with this page. */
export const viewOf = (page: Page): View =>
  VIEW_NAMES.find((view) => (VIEWS[view] as readonly Page[]).includes(page)) ?? 'now';

/** Address of a page, or of an item in it, within the panel: `#/models/openai%2Fgpt-5`. */
export function hrefOf(page: Page, detail?: string | number): string {
  return detail === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(detail)}`;
}

/** Query of an address with the notices open beside its view. */
export const INBOX_WORD = 'notices';
/** Address of the notices. */
export const INBOX_VIEW = `${hrefOf('now')}?${INBOX_WORD}`;

/** Address of the popover at the bar: a small page without navigation. */
export const GLANCE_ADDRESS = '#/glance';

/** Longest item name in an address. */
export const MAX_DETAIL = 300;

/** External pages that the panel may open, by name; an address from a page is never opened. */
export const LINKS = {
  opencode: 'https://opencode.ai/docs/',
  artificialAnalysis: 'https://artificialanalysis.ai/',
} as const;
export type LinkName = keyof typeof LINKS;

const Done = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

/** Functions of the shell around the panel; in a browser, most are unavailable. */
export const shellQueries = {
  'shell.get': {
    input: z.object({}),
    output: z.object({
      kind: z.enum(['desktop', 'browser']),
      /** The app starts at login; null with a reason if that is not possible. */
      startsAtLogin: z.boolean().nullable(),
      why: z.string().nullable(),
      /** Result of the latest desktop notice; null if the page shows notices itself. */
      notices: NoticeOutcome.nullable(),
      /**
       * Visibility of the tray icon: `absent` if no tray shows it, `hidden` if macOS hides it; null without an icon.
       */
      tray: z.enum(['seen', 'unsure', 'hidden', 'absent']).nullable(),
    }),
  },
  'shell.startAtLogin': { input: z.object({ isOn: z.boolean() }), output: Done },
  /** The page's theme for menus and frames; null follows the system. */
  'shell.theme': { input: z.object({ theme: z.enum(['light', 'dark']).nullable() }), output: Done },
  /** Closes the popover and opens the window at a view; null opens nothing. */
  'shell.leaveGlance': {
    input: z.object({ view: z.enum(PAGES).nullable(), detail: z.string().max(MAX_DETAIL).nullable() }),
    output: Done,
  },
  /** The page's language for menus and notices. */
  'shell.language': {
    input: z.object({ language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]) }),
    output: Done,
  },
  'shell.openLink': {
    input: z.object({ link: z.enum(Object.keys(LINKS) as [LinkName, ...LinkName[]]) }),
    output: Done,
  },
} as const;

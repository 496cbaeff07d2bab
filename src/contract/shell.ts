import * as z from 'zod';
import { LANGUAGES, type Language } from '../texts';
import { NoticeOutcome } from './notices';

/** The panel's views in the order of its navigation, each with the pages that are its tabs. */
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

/** The view that has a page as a tab. */
export const viewOf = (page: Page): View =>
  VIEW_NAMES.find((view) => (VIEWS[view] as readonly Page[]).includes(page)) ?? 'now';

/** The address of a page, and of one thing in it, within the panel: `#/models/openai%2Fgpt-5`. */
export function hrefOf(page: Page, detail?: string | number): string {
  return detail === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(detail)}`;
}

/** The word after the `?` of an address that has the notices open beside its view. */
export const INBOX_WORD = 'notices';
/** Where all notices are. */
export const INBOX_VIEW = `${hrefOf('now')}?${INBOX_WORD}`;

/** The address of the popover at the bar: a page beside the views, small and without navigation. */
export const GLANCE_ADDRESS = '#/glance';

/** Longest name of a thing within a view that an address is made of. */
export const MAX_DETAIL = 300;

/** The pages of others that the panel may have opened, by name: an address from a page is never opened. */
export const LINKS = {
  opencode: 'https://opencode.ai/docs/',
  artificialAnalysis: 'https://artificialanalysis.ai/',
} as const;
export type LinkName = keyof typeof LINKS;

const Done = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

/** What the shell around the panel does for it; the same questions in a browser, where most of it cannot be done. */
export const shellQueries = {
  'shell.get': {
    input: z.object({}),
    output: z.object({
      kind: z.enum(['desktop', 'browser']),
      /** Whether the app starts when the user logs in; null where it cannot be arranged, and then why. */
      startsAtLogin: z.boolean().nullable(),
      why: z.string().nullable(),
      /** What became of the latest notice that the desktop was to show; null where the page shows them itself. */
      notices: NoticeOutcome.nullable(),
      /** Whether people see an icon in the bar: `absent` where nothing shows one, `hidden` where macOS does not; null where there is none. */
      tray: z.enum(['seen', 'unsure', 'hidden', 'absent']).nullable(),
    }),
  },
  'shell.startAtLogin': { input: z.object({ isOn: z.boolean() }), output: Done },
  /** The theme of menus and frames, after that of the page; null follows the system. */
  'shell.theme': { input: z.object({ theme: z.enum(['light', 'dark']).nullable() }), output: Done },
  /** Closes the popover at the bar and opens the window at a view; null opens nothing. */
  'shell.leaveGlance': {
    input: z.object({ view: z.enum(PAGES).nullable(), detail: z.string().max(MAX_DETAIL).nullable() }),
    output: Done,
  },
  /** The language of menus and notices, after that of the page. */
  'shell.language': {
    input: z.object({ language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]) }),
    output: Done,
  },
  'shell.openLink': {
    input: z.object({ link: z.enum(Object.keys(LINKS) as [LinkName, ...LinkName[]]) }),
    output: Done,
  },
} as const;

import * as z from 'zod';
import { LANGUAGES, type Language } from '../texts';
import { NoticeOutcome } from './notices';

/** Navigation order, each with its tabs. */
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
export type Page = (typeof VIEWS)[View][number];
export const PAGES = Object.values(VIEWS).flat() as [Page, ...Page[]];

export const viewOf = (page: Page): View =>
  VIEW_NAMES.find((view) => (VIEWS[view] as readonly Page[]).includes(page)) ?? 'now';

/** For example `#/models/openai%2Fgpt-5`. */
export function hrefOf(page: Page, detail?: string | number): string {
  return detail === undefined ? `#/${page}` : `#/${page}/${encodeURIComponent(detail)}`;
}

/** Opens the notices beside the view. */
export const INBOX_WORD = 'notices';
export const INBOX_VIEW = `${hrefOf('now')}?${INBOX_WORD}`;

/** The menu bar's popover. */
export const GLANCE_ADDRESS = '#/glance';

export const MAX_DETAIL = 300;

/** By name: the panel never opens an address from a page. */
export const LINKS = {
  opencode: 'https://opencode.ai/docs/',
  artificialAnalysis: 'https://artificialanalysis.ai/',
} as const;
export type LinkName = keyof typeof LINKS;

const Done = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

export const shellQueries = {
  'shell.get': {
    input: z.object({}),
    output: z.object({
      kind: z.enum(['desktop', 'browser']),
      /** Null with a reason if impossible. */
      startsAtLogin: z.boolean().nullable(),
      why: z.string().nullable(),
      /** Null if the page shows notices itself. */
      notices: NoticeOutcome.nullable(),
      /** `absent`: no tray; `hidden`: macOS hides it; null: no icon. */
      tray: z.enum(['seen', 'unsure', 'hidden', 'absent']).nullable(),
    }),
  },
  'shell.startAtLogin': { input: z.object({ isOn: z.boolean() }), output: Done },
  /** Null follows the system. */
  'shell.theme': { input: z.object({ theme: z.enum(['light', 'dark']).nullable() }), output: Done },
  /** Null opens nothing. */
  'shell.leaveGlance': {
    input: z.object({ view: z.enum(PAGES).nullable(), detail: z.string().max(MAX_DETAIL).nullable() }),
    output: Done,
  },
  'shell.language': {
    input: z.object({ language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]) }),
    output: Done,
  },
  'shell.openLink': {
    input: z.object({ link: z.enum(Object.keys(LINKS) as [LinkName, ...LinkName[]]) }),
    output: Done,
  },
} as const;

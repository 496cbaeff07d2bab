import * as z from 'zod';
import { MACHINE_ID } from '../features/fleet/contract/fleet-values';

// Made when somebody reads a file: a companion starts with each OpenCode, and most machines have no such file.

/** How long history is kept one by one, and how big it may grow. */
const history = () => z.object({ detailDays: z.int().min(1).max(3_650), maxMebibytes: z.int().min(16).max(65_536) });

/** What a notice may be about, by its stable id, in the order of the list. Ids left out are kept for others. */
export const NOTICES = [
  ...(['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13'] as const),
  ...(['N14', 'N15', 'N16', 'N17', 'N18', 'N19', 'N20', 'N21', 'N22', 'N23', 'N24'] as const),
] as const;
export type NoticeId = (typeof NOTICES)[number];

/** Quiet unless somebody asks for more. Source: docs/failures.md, notices. */
const OFF_AT_FIRST: readonly NoticeId[] = ['N5', 'N10', 'N12'];
const CHOSEN_AT_FIRST = Object.fromEntries(NOTICES.map((id) => [id, !OFF_AT_FIRST.includes(id)]));

/** A time of day, `22:00`. */
const timeOfDay = () => z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 22:00');
const quietHours = () => z.object({ enabled: z.boolean(), from: timeOfDay(), until: timeOfDay() });
const notices = () =>
  z.object({
    /** Nothing is told before this Unix ms; null while notices are not muted. */
    mutedUntil: z.number().nonnegative().nullable(),
    quietHours: quietHours(),
    chosen: z.object(Object.fromEntries(NOTICES.map((id) => [id, z.boolean()])) as Record<NoticeId, z.ZodBoolean>),
  });

/** Whether programs may read metrics from the panel, with a token of their own. */
const metrics = () => z.object({ enabled: z.boolean() });

/** Whether the desktop app looks for a newer version: the one thing it would ever ask of a network by itself. */
const updates = () => z.object({ look: z.boolean() });

/** whether setting up asks which behaviour is wanted; not any more once that was answered. */
const setup = () => z.object({ asks: z.boolean() });

/** An address of a server that machines share, `redis://host:6379`; with `rediss://` the connection is encrypted. */
const fleetUrl = () =>
  z
    .string()
    .max(300)
    .refine(
      (url) => /^rediss?:\/\/[^\s/@?#]+\/?$/.test(url) && URL.canParse(url),
      'expected redis://host:6379 or rediss://host:6379, an IPv6 address in brackets, without a password or a database',
    );
const fleetWord = () =>
  z
    .string()
    .max(60)
    .regex(/^[\w.-]*$/, 'expected letters, digits, dots, dashes and underscores');
/** What machines of a fleet may tell each other of. */
export const FLEET_SHARES = ['health', 'headroom', 'budget'] as const;
/** Whether this machine tells others that share its accounts how those are, by which server, and what it is called. */
const fleet = () =>
  z.object({
    url: fleetUrl().nullable(),
    team: fleetWord(),
    name: fleetWord(),
    username: z.string().max(100).nullable(),
    /** The environment variable that holds the server's password. */
    passwordEnv: z
      .string()
      .max(100)
      .regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable')
      .nullable(),
    /** The file with the certificate of the authority that has signed the server's, where that is the team's own; of `rediss://` alone. */
    ca: z
      .string()
      .max(1_000)
      .regex(/^(?:\/|[A-Za-z]:[\\/]).*[^\\/]$/, 'expected the whole path of a file')
      .nullable(),
    ignored: z.array(z.string().regex(MACHINE_ID)).max(1_000),
    /** What is told, and heard: how accounts and models are, how full limits are, and what was spent on an account. */
    share: z.array(z.enum(FLEET_SHARES)).max(FLEET_SHARES.length),
  });
export type FleetPreferences = z.infer<ReturnType<typeof fleet>>;

/** What stands beside the icon in the menu bar of macOS; nowhere else is there room for it. */
export const TRAY_TITLES = ['off', 'model', 'minutes', 'headroom'] as const;
const tray = () => z.object({ title: z.enum(TRAY_TITLES) });

/**
 * What a user has chosen for the app, whole: `preferences.json` in the state home. What belongs to one window, such as
 * light or dark and the language, is remembered by that window.
 */
export const Preferences = z.lazy(() =>
  z.object({
    history: history(),
    notices: notices(),
    metrics: metrics(),
    updates: updates(),
    tray: tray(),
    setup: setup(),
    fleet: fleet(),
  }),
);
export type Preferences = z.infer<typeof Preferences>;

/** What holds where the file says nothing: a month of detail, half a gigabyte. */
export const DEFAULT_PREFERENCES: Preferences = {
  history: { detailDays: 30, maxMebibytes: 512 },
  notices: {
    mutedUntil: null,
    quietHours: { enabled: false, from: '22:00', until: '07:00' },
    chosen: CHOSEN_AT_FIRST as Record<NoticeId, boolean>,
  },
  metrics: { enabled: false },
  updates: { look: false },
  tray: { title: 'off' },
  setup: { asks: true },
  fleet: {
    url: null,
    team: '',
    name: '',
    username: null,
    passwordEnv: null,
    ca: null,
    ignored: [],
    share: ['health', 'headroom'],
  },
};

/** Any part of them, as the file or a change says it; keys of a newer version mean nothing here and stay where they are. */
export const PreferencesPatch = z.lazy(() => {
  const { mutedUntil, chosen } = notices().shape;
  return z.object({
    history: history().partial().optional(),
    notices: z
      .object({
        mutedUntil: mutedUntil.optional(),
        quietHours: quietHours().partial().optional(),
        chosen: chosen.partial().optional(),
      })
      .optional(),
    metrics: metrics().partial().optional(),
    updates: updates().partial().optional(),
    tray: tray().partial().optional(),
    setup: setup().partial().optional(),
    fleet: fleet().partial().optional(),
  });
});
export type PreferencesPatch = z.infer<typeof PreferencesPatch>;

/** The preferences in force, and what they were read from. */
const InForce = z.object({
  preferences: Preferences,
  path: z.string(),
  /** Names what the file says: a change is refused when it says something else by then. */
  rev: z.string().max(100),
  /** What of the file is not understood, with its place; the defaults then stand in, and nothing is written. */
  problem: z.string().nullable(),
});
export type PreferencesInForce = z.infer<typeof InForce>;

/** What the panel may ask of the user's choices for the app. */
export const preferencesQueries = {
  'settings.get': { input: z.null(), output: InForce },
  'settings.set': {
    input: z.object({ patch: PreferencesPatch, rev: z.string().max(100) }),
    output: z.discriminatedUnion('ok', [
      z.object({ ok: z.literal(true), ...InForce.shape }),
      z.object({ ok: z.literal(false), reason: z.string() }),
    ]),
  },
} as const;

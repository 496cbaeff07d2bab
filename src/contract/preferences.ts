import * as z from 'zod';
import { MACHINE_ID } from '../features/fleet/contract/fleet-values';

// Schemas are built on first use: a companion starts with each OpenCode, and most have no such file.

const history = () => z.object({ detailDays: z.int().min(1).max(3_650), maxMebibytes: z.int().min(16).max(65_536) });

/** Stable, in list order. Missing ids are reserved. */
export const NOTICES = [
  ...(['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13'] as const),
  ...(['N14', 'N15', 'N16', 'N17', 'N18', 'N19', 'N20', 'N21', 'N22', 'N23', 'N24'] as const),
] as const;
export type NoticeId = (typeof NOTICES)[number];

/** Source: docs/failures.md, notices. */
const OFF_AT_FIRST: readonly NoticeId[] = ['N5', 'N10', 'N12'];
const CHOSEN_AT_FIRST = Object.fromEntries(NOTICES.map((id) => [id, !OFF_AT_FIRST.includes(id)]));

const timeOfDay = () => z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 22:00');
const quietHours = () => z.object({ enabled: z.boolean(), from: timeOfDay(), until: timeOfDay() });
const notices = () =>
  z.object({
    /** Unix ms. */
    mutedUntil: z.number().nonnegative().nullable(),
    quietHours: quietHours(),
    chosen: z.object(Object.fromEntries(NOTICES.map((id) => [id, z.boolean()])) as Record<NoticeId, z.ZodBoolean>),
  });

const metrics = () => z.object({ enabled: z.boolean() });

/** The app's only automatic network request. */
const updates = () => z.object({ look: z.boolean() });

/** False after the user has chosen. */
const setup = () => z.object({ asks: z.boolean() });

/** `rediss://` encrypts the connection. */
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
export const FLEET_SHARES = ['health', 'headroom', 'budget'] as const;
const fleet = () =>
  z.object({
    url: fleetUrl().nullable(),
    team: fleetWord(),
    name: fleetWord(),
    username: z.string().max(100).nullable(),
    passwordEnv: z
      .string()
      .max(100)
      .regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable')
      .nullable(),
    /** Certificate of a private authority; only for `rediss://`. */
    ca: z
      .string()
      .max(1_000)
      .regex(/^(?:\/|[A-Za-z]:[\\/]).*[^\\/]$/, 'expected the absolute path of a file')
      .nullable(),
    ignored: z.array(z.string().regex(MACHINE_ID)).max(1_000),
    /** Kinds of data, both sent and received. */
    share: z.array(z.enum(FLEET_SHARES)).max(FLEET_SHARES.length),
  });
export type FleetPreferences = z.infer<ReturnType<typeof fleet>>;

/** macOS only: other menu bars have no room. */
export const TRAY_TITLES = ['off', 'model', 'minutes', 'headroom'] as const;
const tray = () => z.object({ title: z.enum(TRAY_TITLES) });

/** Each window stores its own theme and language. */
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

/** Keys of a newer version are ignored and preserved. */
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

const InForce = z.object({
  preferences: Preferences,
  path: z.string(),
  rev: z.string().max(100),
  /** Then the defaults apply and nothing is written. */
  problem: z.string().nullable(),
});
export type PreferencesInForce = z.infer<typeof InForce>;

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

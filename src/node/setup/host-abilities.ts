import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { REQUESTS_SEEN, type RequestsSeen } from '../../contract/requests-seen';
import { countAs } from '../../core/base/internal-errors';
import { ownValue } from '../../engine/tools';
import { writeFileAtomic } from '../base/atomic-file';
import { readPrivateJson } from '../base/private-folder';
import { ensureStateHome } from '../base/state-home';

/**
 * `sees`: requests are visible. `moves`: a running turn continues with its message's new model. `keeps`: the rest of
 * the message is unchanged. `tidies`: empty messages can be deleted. `asks`: an idle session's message can be answered
 * again.
 */
export const FACTS = ['sees', 'moves', 'keeps', 'tidies', 'asks'] as const;
export type BrokenFact = (typeof FACTS)[number];

/**
 * `soft`: in flight. `again`: Understudy ends the turn and sends its message to the next model. `watch`: only the next
 * message moves.
 */
export type Actuator = 'soft' | 'again' | 'watch';

export function actuatorFor(broken: readonly BrokenFact[], opencode: string): Actuator {
  const isBroken = (fact: BrokenFact): boolean => broken.includes(fact);
  if (isBroken('sees') || isBroken('keeps')) return 'watch';
  if (!isBroken('moves')) return 'soft';
  return isBroken('asks') || isSecond(opencode) ? 'watch' : 'again';
}

/** Its API call needs no proof: each switch shows whether it works. */
const isSecond = (opencode: string): boolean => Number.parseInt(opencode, 10) >= 2;

/** Null if all abilities work. */
export function limitsSentence(broken: readonly BrokenFact[], opencode: string): string | null {
  if (broken.length === 0) return null;
  const version = opencode === '' ? 'This OpenCode' : `OpenCode ${opencode}`;
  if (isSecond(opencode))
    return `${version} does not support moving a turn: for a day Understudy changes nothing here and only counts failures.`;
  if (broken.includes('sees'))
    return `${version} does not show Understudy its requests: Understudy cannot move any turn.`;
  switch (actuatorFor(broken, opencode)) {
    case 'again':
      return `${version} cannot change the model of a running turn: if a model fails before any output or action, the turn ends and the next model answers the same message; otherwise the error stays, and your next message goes to an available model.`;
    case 'watch':
      return `${version} cannot point a message at another model: a failing turn ends with its error, and your next message goes to an available model.`;
    case 'soft':
      return `${version} cannot delete messages: empty messages of failed attempts stay in the history.`;
  }
}

/** `build` identifies the files of both sides. */
const Verdict = z.lazy(() =>
  z.object({
    opencode: z.string(),
    plugin: z.string(),
    build: z.string().optional(),
    broken: z.array(z.enum(FACTS)),
    at: z.number(),
  }),
);
export type Verdict = z.infer<typeof Verdict>;

export const StoredVerdicts = z.lazy(() =>
  z.object({
    v: z.literal(1),
    tested: z.array(Verdict),
    requests: z.record(z.string().max(PROVIDER_CHARS), z.enum(REQUESTS_SEEN)).optional(),
  }),
);

type Stored = z.infer<typeof StoredVerdicts>;

const FILE = 'self-test.json';
const MAX_BYTES = 65_536;
const VERDICTS_MAX = 10;
const PROVIDERS_MAX = 100;
const PROVIDER_CHARS = 200;

export const verdictsPath = (home: string): string => join(home, FILE);

export const readStored = (home: string): Promise<Stored | null> =>
  readPrivateJson(verdictsPath(home), MAX_BYTES, StoredVerdicts);

/** Newest first. */
export const readVerdicts = async (home: string): Promise<readonly Verdict[]> => (await readStored(home))?.tested ?? [];

/** Newest last. */
export const requestsSeenIn = (stored: Stored | null): ReadonlyMap<string, RequestsSeen> =>
  new Map(Object.entries(stored?.requests ?? {}));

/** Never rejects. */
export async function keepVerdict(home: string, verdict: Verdict): Promise<void> {
  await change(home, ({ tested, ...rest }) => {
    const others = tested.filter((entry) => !isAbout(entry, verdict));
    return { ...rest, tested: [verdict, ...others].slice(0, VERDICTS_MAX) };
  });
}

/** Never rejects. */
export async function keepRequestsSeen(home: string, provider: string, by: RequestsSeen): Promise<void> {
  if (provider.length > PROVIDER_CHARS) return;
  await change(home, (stored) => {
    if (ownValue(stored.requests, provider) === by) return null;
    const others = Object.entries(stored.requests ?? {}).filter(([name]) => name !== provider);
    return { ...stored, requests: Object.fromEntries([...others, [provider, by] as const].slice(-PROVIDERS_MAX)) };
  });
}

let lastChange = Promise.resolve();

/** Null: no change. A lost result is measured again. */
function change(home: string, next: (stored: Stored) => Stored | null): Promise<void> {
  const make = async (): Promise<void> => {
    const stored = next((await readStored(home)) ?? { v: 1, tested: [] });
    if (stored && (await ensureStateHome(home)).ok)
      await writeFileAtomic(verdictsPath(home), `${JSON.stringify(stored)}\n`);
  };
  lastChange = lastChange.then(make).catch(countAs('abilities.store'));
  return lastChange;
}

/** Another build of the companion or OpenCode needs a new proof. */
export async function buildOf(plugin: string, opencode: string): Promise<string | undefined> {
  try {
    const files = await Promise.all([stat(plugin), stat(opencode)]);
    return files.map(({ size, mtimeMs }) => `${size}.${Math.floor(mtimeMs / 1_000)}`).join('-');
  } catch {
    // silent: a build that cannot be checked needs a new proof
    return undefined;
  }
}

export const isAbout = (a: Omit<Verdict, 'broken' | 'at'>, b: Omit<Verdict, 'broken' | 'at'>): boolean =>
  a.opencode === b.opencode && a.plugin === b.plugin && a.build === b.build;

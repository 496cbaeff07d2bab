import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomic } from '../node/atomic-file';
import { isProven, provenText } from '../node/opencode/proven';
import { readPrivateJson } from '../node/private-folder';
import { ensureStateHome } from '../node/state-home';

/**
 * What the switch in flight rests on in an OpenCode: `moves` a message can be pointed at another model while its session
 * works; `keeps` everything else in it stays; `tidies` an empty message can be deleted.
 */
export const FACTS = ['moves', 'keeps', 'tidies'] as const;
export type BrokenFact = (typeof FACTS)[number];

/** `soft`: a failing turn moves in flight. `watch`: failures only count, and the next message goes to somebody else. */
export type Actuator = 'soft' | 'watch';

/** What is known of the OpenCode this process lives in. */
export type SelfCheck = Readonly<{
  /** Until something else is known, a turn moves in flight; in an OpenCode nobody has tried, once it has been tested. */
  actuator(): Actuator;
  /**
   * Runs `test` unless this version of OpenCode has been tested, and remembers what it found for every later process. The
   * test resolves to null when it could not be made; then another idle moment serves. Never rejects.
   */
  settle(test: () => Promise<readonly BrokenFact[] | null>): Promise<void>;
  /** Takes in what a real turn has shown, and remembers it as it would a test. Never rejects. */
  learn(broken: readonly BrokenFact[]): Promise<void>;
}>;

const FILE = 'self-test.json';
const MAX_BYTES = 65_536;
const VERSIONS_MAX = 10;
/** A bad result is doubted after a day: it costs more than another test. */
const DOUBTED_AFTER_MS = 86_400_000;

const Verdict = z.object({ opencode: z.string(), plugin: z.string(), broken: z.array(z.enum(FACTS)), at: z.number() });
const Stored = z.object({ v: z.literal(1), tested: z.array(Verdict) });

/** From OpenCode 2 on a turn is moved by a call made for it: no test beside it, each switch shows whether it holds. */
const learnsInTurns = (version: string): boolean => Number.parseInt(version, 10) >= 2;

const strangerSentence = (opencode: string): string =>
  `Understudy is proven on OpenCode ${provenText()} and this is ${opencode}. When your first turn is over it tries, without asking any model, whether turns can be moved here; until then a failing turn ends with its error, and your next message goes to a model that is well.`;

/** How a turn is moved where these facts do not hold. */
export const actuatorFor = (broken: readonly BrokenFact[]): Actuator =>
  broken.includes('moves') || broken.includes('keeps') ? 'watch' : 'soft';

/** Opens the check of this process. `tell` hears in words for people what does not work, once. */
export function openSelfCheck(options: {
  home: string;
  plugin: string;
  version: Promise<string>;
  tell: (message: string) => void;
  now?: () => number;
}): SelfCheck {
  const { home, plugin, tell, now = Date.now } = options;
  let broken: readonly BrokenFact[] | null = null;
  let isStranger = false;
  let isTesting = false;
  const learn = (found: readonly BrokenFact[], opencode: string): void => {
    broken = found;
    if (found.length > 0) tell(sentenceFor(found, opencode));
  };
  const keep = async (found: readonly BrokenFact[], opencode: string): Promise<void> => {
    learn(found, opencode);
    if (opencode !== '') await write(home, { opencode, plugin, broken: [...found], at: now() });
  };
  const known = options.version.then(async (opencode) => {
    const verdict = (await read(home)).find((entry) => entry.opencode === opencode && entry.plugin === plugin);
    const isDoubted = verdict !== undefined && verdict.broken.length > 0 && now() - verdict.at > DOUBTED_AFTER_MS;
    if (verdict && !isDoubted) learn(verdict.broken, opencode);
    isStranger = broken === null && opencode !== '' && !isProven(opencode) && !learnsInTurns(opencode);
    if (isStranger) tell(strangerSentence(opencode));
    return opencode;
  });
  return {
    actuator() {
      if (broken === null) return isStranger ? 'watch' : 'soft';
      return actuatorFor(broken);
    },
    async settle(test) {
      if (isTesting) return;
      isTesting = true;
      try {
        const opencode = await known;
        const found = broken === null ? await twice(test) : null;
        if (found !== null) await keep(found, opencode);
      } finally {
        isTesting = false;
      }
    },
    async learn(found) {
      const opencode = await known;
      const isNews = broken === null || found.some((fact) => !broken?.includes(fact));
      if (isNews) await keep(found, opencode);
    },
  };
}

/** One bad result may be a bad moment. */
async function twice(test: () => Promise<readonly BrokenFact[] | null>): Promise<readonly BrokenFact[] | null> {
  const first = await test();
  return first === null || first.length === 0 ? first : test();
}

function sentenceFor(broken: readonly BrokenFact[], opencode: string): string {
  const version = opencode === '' ? 'This OpenCode' : `OpenCode ${opencode}`;
  if (learnsInTurns(opencode))
    return `${version} does not do what it takes to move a turn. For a day Understudy changes nothing here and only counts failures.`;
  return actuatorFor(broken) === 'watch'
    ? `${version} does not let a message be pointed at another model as Understudy needs it. A failing turn ends with its error; your next message goes to a model that is well.`
    : `${version} does not let messages be deleted as Understudy needs it. Empty messages of failed attempts stay in the history.`;
}

const read = async (home: string): Promise<z.infer<typeof Verdict>[]> =>
  (await readPrivateJson(join(home, FILE), MAX_BYTES, Stored))?.tested ?? [];

async function write(home: string, verdict: z.infer<typeof Verdict>): Promise<void> {
  const others = (await read(home)).filter((entry) => entry.opencode !== verdict.opencode);
  const stored: z.infer<typeof Stored> = { v: 1, tested: [verdict, ...others].slice(0, VERSIONS_MAX) };
  const place = await ensureStateHome(home);
  // Not remembered, it is tested again: nothing is lost but a moment.
  if (place.ok) await writeFileAtomic(join(home, FILE), `${JSON.stringify(stored)}\n`);
}

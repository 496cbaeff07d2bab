import type { Clock } from '../../core/ports/ports';
import { nodeClock } from '../../node/base/clock';
import {
  type Actuator,
  actuatorFor,
  type BrokenFact,
  isAbout,
  keepVerdict,
  limitsSentence,
  readVerdicts,
} from '../../node/setup/host-abilities';
import { limited } from '../base/guarded';

export type { Actuator, BrokenFact } from '../../node/setup/host-abilities';

/** Finds out what does not hold in this OpenCode; null when it could not be found out. Never rejects. */
export type Proof = () => Promise<readonly BrokenFact[] | null>;

export type SelfCheck = Readonly<{
  /** OpenCode's version; empty until OpenCode has reported it. */
  opencode(): string;
  /** Until something is known, a turn moves in flight, and each switch shows whether it holds. */
  actuator(): Actuator;
  /** Whether anything has been proved or learned of this OpenCode. */
  isKnown(): boolean;
  /**
   * Offers a proof, in place of an earlier one of the same giver. It is made a moment later if `isFree` then, or as soon as a drill
   * waits for it, unless something is known by then; the result is remembered for every later process.
   */
  offer(giver: object, proof: Proof, isFree?: () => boolean): void;
  /**
   * How a turn is moved, after a proof that is under way, but `limitMs` later at the latest.
   *
   * @param begins begins a proof that is offered: not for a turn that fails, which must not wait for one.
   */
  settled(limitMs: number, begins?: boolean): Promise<Actuator>;
  /** Takes in what a real turn has shown, and remembers it as it would a proof. Never rejects. */
  learn(broken: readonly BrokenFact[]): Promise<void>;
}>;

/** A bad result is doubted after a day: it costs more than another proof. */
const DOUBTED_AFTER_MS = 86_400_000;
/** OpenCode shall be through with its start, in ms; a command that ends at once is gone by then. */
const PROOF_AFTER_MS = 1_000;
/** Proofs made in one process: where three told nothing, the switches themselves will. */
const PROOFS_MAX = 3;

/**
 * Opens the check of this process. `tell` hears in words for people what does not work, once.
 *
 * @param build names the files of both sides; resolves to undefined where they cannot be told.
 */
export function openSelfCheck(options: {
  home: string;
  plugin: string;
  version: Promise<string>;
  build?: Promise<string | undefined>;
  tell: (message: string) => void;
  /** A process that was started for something else: what is seen in it says nothing of OpenCode, and nothing is proved in it. */
  isApart?: boolean;
  now?: () => number;
  schedule?: Clock['schedule'];
}): SelfCheck {
  const { home, plugin, tell, isApart = false, now = Date.now, schedule = nodeClock().schedule } = options;
  const offers = new Map<object, Proof>();
  let opencode = '';
  let broken: readonly BrokenFact[] | null = null;
  let proving: Promise<void> | null = null;
  let proofs = 0;

  const take = (found: readonly BrokenFact[]): void => {
    const before = broken && limitsSentence(broken, opencode);
    broken = found;
    offers.clear();
    const sentence = limitsSentence(found, opencode);
    if (sentence !== null && sentence !== before) tell(sentence);
  };
  void options.version.then((version) => {
    opencode = version;
  });
  const known = Promise.all([options.version, options.build]).then(async ([, build]) => {
    const about = { opencode, plugin, ...(build === undefined ? {} : { build }) };
    const verdict = (await readVerdicts(home)).find((entry) => isAbout(entry, about));
    const isDoubted = verdict !== undefined && verdict.broken.length > 0 && now() - verdict.at > DOUBTED_AFTER_MS;
    if (verdict && !isDoubted && broken === null) take(verdict.broken);
    return about;
  });
  const keep = async (found: readonly BrokenFact[]): Promise<void> => {
    const about = await known;
    take(found);
    if (opencode !== '') await keepVerdict(home, { ...about, broken: [...found], at: now() });
  };
  const proveAll = async (): Promise<void> => {
    await known;
    for (const [giver, proof] of offers) {
      offers.delete(giver);
      if (isApart || broken !== null || proofs >= PROOFS_MAX) return;
      proofs++;
      const found = await twice(proof);
      // A turn may have shown it meanwhile, and a turn is the better witness.
      if (found !== null && broken === null) return keep(found);
    }
  };
  const prove = (): Promise<void> => {
    proving ??= proveAll().finally(() => {
      proving = null;
    });
    return proving;
  };
  const actuator = (): Actuator => actuatorFor(broken ?? [], opencode);

  return {
    opencode: () => opencode,
    actuator,
    isKnown: () => broken !== null,
    offer(giver, proof, isFree = () => true) {
      if (broken !== null || proofs >= PROOFS_MAX) return;
      offers.set(giver, proof);
      schedule(PROOF_AFTER_MS, () => {
        if (isFree()) void prove();
      });
    },
    async settled(limitMs, begins = false) {
      if (broken === null && (proving !== null || (begins && offers.size > 0))) await limited(prove(), limitMs);
      return actuator();
    },
    async learn(found) {
      if (isApart) return;
      await known;
      const isNews = broken === null || found.some((fact) => !broken?.includes(fact));
      if (isNews) await keep(found);
    },
  };
}

/** One bad result may be a bad moment. */
async function twice(proof: Proof): Promise<readonly BrokenFact[] | null> {
  const first = await proof();
  return first === null || first.length === 0 ? first : proof();
}

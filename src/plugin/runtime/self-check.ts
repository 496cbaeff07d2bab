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

/** Null if unknown. Never rejects. */
export type Proof = () => Promise<readonly BrokenFact[] | null>;

export type SelfCheck = Readonly<{
  /** Empty until OpenCode has reported it. */
  opencode(): string;
  /** Assumes in-flight switching until a result exists. */
  actuator(): Actuator;
  isKnown(): boolean;
  /**
   * Replaces the giver's earlier proof. Runs a moment later if `isFree`, or once a drill waits for it, unless a result
   * exists.
   */
  offer(giver: object, proof: Proof, isFree?: () => boolean): void;
  /**
   * Waits at most `limitMs` for a running proof.
   * @param begins starts an offered proof; a failing turn must not wait for one.
   */
  settled(limitMs: number, begins?: boolean): Promise<Actuator>;
  /** Stores the result of a real turn. Never rejects. */
  learn(broken: readonly BrokenFact[]): Promise<void>;
}>;

/** A failure expires after a day: it costs more than another proof. */
const DOUBTED_AFTER_MS = 86_400_000;
/** OpenCode has started by then; a short command has ended. */
const PROOF_AFTER_MS = 1_000;
/** The switches show what three proofs did not. */
const PROOFS_MAX = 3;

export function openSelfCheck(options: {
  home: string;
  plugin: string;
  version: Promise<string>;
  build?: Promise<string | undefined>;
  tell: (message: string) => void;
  /** Started for another purpose: results would not apply to OpenCode. */
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
  const ready = Promise.all([options.version, options.build]).then(async ([, build]) => {
    const about = { opencode, plugin, ...(build === undefined ? {} : { build }) };
    const verdict = (await readVerdicts(home)).find((entry) => isAbout(entry, about));
    const isDoubted = verdict !== undefined && verdict.broken.length > 0 && now() - verdict.at > DOUBTED_AFTER_MS;
    if (verdict && !isDoubted && broken === null) take(verdict.broken);
    return about;
  });
  const keep = async (found: readonly BrokenFact[]): Promise<void> => {
    const about = await ready;
    take(found);
    if (opencode !== '') await keepVerdict(home, { ...about, broken: [...found], at: now() });
  };
  const proveAll = async (): Promise<void> => {
    await ready;
    for (const [giver, proof] of offers) {
      offers.delete(giver);
      if (isApart || broken !== null || proofs >= PROOFS_MAX) return;
      proofs++;
      const found = await twice(proof);
      // A real turn takes precedence.
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
      await ready;
      const isNews = broken === null || found.some((fact) => !broken?.includes(fact));
      if (isNews) await keep(found);
    },
  };
}

/** A single failure may be transient. */
async function twice(proof: Proof): Promise<readonly BrokenFact[] | null> {
  const first = await proof();
  return first === null || first.length === 0 ? first : proof();
}

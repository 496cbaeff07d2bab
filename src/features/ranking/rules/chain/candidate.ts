import type { LiveFigures } from '../base/live';
import type { Price } from '../base/price';
import type { ModelValues } from '../base/values';

/** A model that may stand in a chain, with all that is known of it. */
export type Candidate = Readonly<{
  /** `provider/model`, or a pattern such as `lmstudio-local/*` that stands in the present chain. */
  model: string;
  /** Under which account it is asked: models of one account fall to one limit. */
  account: string;
  vendor: string;
  /** Where that vendor is based; null where nobody has looked it up. */
  region: string | null;
  /** `bridge`: a free model that is asked before those of this machine. Bridge and local models are not scored. */
  place: 'hosted' | 'bridge' | 'local';
  /** Null where nobody says one. */
  price: Price | null;
  /** Under which published name its values are kept; null where none is known to be its own. */
  record: string | null;
  values: ModelValues;
  /** How it did for the agent here; null where nothing is recorded. */
  live: LiveFigures | null;
  /** Whether it stands in the chain as it is. */
  isPresent: boolean;
  /** Whether it was asked for one word just now, and gave none. */
  isSilent: boolean;
}>;

/** The free model that published designs ask between the hosted models and those of this machine. */
export const BRIDGE = 'free/openrouter/free';

/** Coding agents read some three times what they write. */
const READS_PER_WRITE = 3;

export const priceFigure = (price: Price | null): number =>
  price === null ? Number.POSITIVE_INFINITY : (READS_PER_WRITE * price.in + price.out) / (READS_PER_WRITE + 1);

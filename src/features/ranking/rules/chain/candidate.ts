import type { LiveFigures } from '../base/live';
import type { Price } from '../base/price';
import type { ModelValues } from '../base/values';

export type Candidate = Readonly<{
  /** `provider/model`, or a pattern of the present chain such as `lmstudio-local/*`. */
  model: string;
  /** One limit stops all models of an account. */
  account: string;
  vendor: string;
  region: string | null;
  /** `bridge`: a free model before the local ones. Bridge and local models are not scored. */
  place: 'hosted' | 'bridge' | 'local';
  price: Price | null;
  /** Null if unknown. */
  record: string | null;
  values: ModelValues;
  live: LiveFigures | null;
  isPresent: boolean;
  isSilent: boolean;
}>;

/** Published designs place this free model between hosted and local ones. */
export const BRIDGE = 'free/openrouter/free';

/** Coding agents read about three times the tokens they write. */
const READS_PER_WRITE = 3;

export const priceFigure = (price: Price | null): number =>
  price === null ? Number.POSITIVE_INFINITY : (READS_PER_WRITE * price.in + price.out) / (READS_PER_WRITE + 1);

import type { Catalogue, ModelId } from '../../../../engine';
import { vendorOf } from '../../../../engine/tools';
import type { SpeakerName } from './types';

/** A model that may speak in a run, with an optional fallback model of the same vendor. */
export type Speaker = Readonly<{
  name: SpeakerName;
  model: ModelId;
  /** Null for no fallback; equal to `model` for a retry of the same model. */
  fallback: ModelId | null;
  /** Vendor from the user's configuration, otherwise from the catalogue. */
  vendor: string;
  /** Vendor of the fallback model in the catalogue at the time of planning. */
  fallbackVendor?: string | undefined;
}>;

export type Settings = Readonly<{
  speakers: readonly Speaker[];
  oracle: SpeakerName;
  /** Speakers of the heroes, in the order of dealing. */
  heroes: readonly SpeakerName[];
  /** Concurrent turns in a parallel stage. */
  parallel: number;
  /** US dollars at which the run pauses and asks the user; null for no cap. */
  maxCost: number | null;
  /** Retries of the same model in a whole run. */
  retries: Readonly<{ perRun: number; warnAt: number }>;
}>;

export const DEFAULT_PARALLEL = 3;
export const DEFAULT_MAX_COST = 2;
/** Source: docs/council.md, when a model fails. */
export const RETRIES = { perRun: 30, warnAt: 20 } as const;
/** Attempts per turn before its speaker is skipped. */
export const ATTEMPTS = 3;
/** Longest wait requested by a provider that still allows an immediate retry, in ms. */
export const SHORT_HINT_MS = 4_000;
/** Time after which a question is repeated, and after which it expires, in ms. */
export const NUDGE_MS = 30_000;
export const SKIP_MS = 60_000;

/** True if the speaker has a separate fallback model. */
export const hasFallback = ({ model, fallback }: Speaker): boolean => fallback !== null && fallback !== model;

/**
 * Returns the problems of speakers as sentences. A fallback model must have its speaker's vendor, because the user
 * selected a vendor under that name.
 */
export function speakerProblems(speakers: readonly Speaker[], models?: Catalogue): readonly string[] {
  return speakers.flatMap((speaker) => {
    const problem = boundaryProblem(speaker, models);
    return problem === null ? [] : [`${speaker.name}: ${problem}`];
  });
}

/** Returns the reason why a fallback model must not answer for its speaker; null if it may or if there is none. */
export function boundaryProblem(
  { model, fallback, vendor, fallbackVendor }: Speaker,
  models?: Catalogue,
): string | null {
  if (fallback === null || fallback === model) return null;
  const other = fallbackVendor ?? vendorOf(models, fallback);
  return other === vendor
    ? null
    : `Cannot fallback across vendors (${vendor} → ${other}). Fallbacks must stay within model family.`;
}

/**
 * Returns the settings without prohibited models, or null if no speaker remains. A speaker with a prohibited model is
 * removed and listed in `leftOut`; a prohibited fallback model is removed.
 */
export function settingsWithout(
  settings: Settings,
  isOut: (model: ModelId) => boolean,
): Readonly<{ settings: Settings | null; leftOut: readonly Speaker[] }> {
  const leftOut = settings.speakers.filter(({ model }) => isOut(model));
  const speakers = settings.speakers
    .filter((speaker) => !leftOut.includes(speaker))
    .map((speaker) =>
      speaker.fallback !== null && isOut(speaker.fallback) ? { ...speaker, fallback: null } : speaker,
    );
  const [first] = speakers;
  if (!first) return { settings: null, leftOut };
  const isIn = (name: SpeakerName): boolean => speakers.some((speaker) => speaker.name === name);
  const heroes = settings.heroes.filter(isIn);
  return {
    settings: {
      ...settings,
      speakers,
      oracle: isIn(settings.oracle) ? settings.oracle : first.name,
      heroes: heroes.length > 0 ? heroes : speakers.map(({ name }) => name),
    },
    leftOut,
  };
}

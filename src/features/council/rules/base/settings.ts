import type { Catalogue, ModelId } from '../../../../engine';
import { vendorOf } from '../../../../engine/tools';
import type { SpeakerName } from './types';

/** One model that may speak in a run, with who stands in for it: of its own vendor, or nobody. */
export type Speaker = Readonly<{
  name: SpeakerName;
  model: ModelId;
  /** Null where nobody stands in; the same model means the same. */
  fallback: ModelId | null;
  /** As the user says it, else as it is known. */
  vendor: string;
  /** Whose the stand-in is, by what was known when the run was planned. */
  fallbackVendor?: string | undefined;
}>;

export type Settings = Readonly<{
  speakers: readonly Speaker[];
  oracle: SpeakerName;
  /** Who plays the heroes, in the order in which they are dealt. */
  heroes: readonly SpeakerName[];
  /** Turns under way at once in a parallel stage. */
  parallel: number;
  /** US dollars at which the run pauses and asks; null for no cap. */
  maxCost: number | null;
  /** Asking the same model again, in a whole run. */
  retries: Readonly<{ perRun: number; warnAt: number }>;
}>;

export const DEFAULT_PARALLEL = 3;
/** US dollars. */
export const DEFAULT_MAX_COST = 2;
/** Source: docs/council.md, when a model fails. */
export const RETRIES = { perRun: 30, warnAt: 20 } as const;
/** Attempts of one turn before its speaker is skipped. */
export const ATTEMPTS = 3;
/** What the provider may ask for and still be asked again at once, in ms. */
export const SHORT_HINT_MS = 4_000;
/** A question is put again after this, and answered by nobody after that, in ms. */
export const NUDGE_MS = 30_000;
export const SKIP_MS = 60_000;

/** Whether somebody may stand in for a speaker at all. */
export const hasFallback = ({ model, fallback }: Speaker): boolean => fallback !== null && fallback !== model;

/**
 * Why speakers cannot take part as they are written, in words; empty where they can. A stand-in is of its speaker's own vendor: whoever asks for
 * a voice shall not get another one under its name.
 */
export function speakerProblems(speakers: readonly Speaker[], models?: Catalogue): readonly string[] {
  return speakers.flatMap((speaker) => {
    const problem = boundaryProblem(speaker, models);
    return problem === null ? [] : [`${speaker.name}: ${problem}`];
  });
}

/** Why a speaker's stand-in must not speak for it; null where it may, or where there is none. */
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
 * Settings without the models that nobody may ask: a speaker whose own is one of them takes no part, and a fallback that is one speaks for nobody.
 *
 * @returns null where nobody is left; `leftOut` are the speakers that take no part.
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

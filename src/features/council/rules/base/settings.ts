import type { Catalogue, ModelId } from '../../../../engine';
import { vendorOf } from '../../../../engine/tools';
import type { SpeakerName } from './types';

export type Speaker = Readonly<{
  name: SpeakerName;
  model: ModelId;
  /** Of the same vendor; equal to `model` for a retry of the same model. */
  fallback: ModelId | null;
  /** From the user's configuration, otherwise from the catalogue. */
  vendor: string;
  /** Catalogue vendor at the time of planning. */
  fallbackVendor?: string | undefined;
}>;

export type Settings = Readonly<{
  speakers: readonly Speaker[];
  oracle: SpeakerName;
  heroes: readonly SpeakerName[];
  parallel: number;
  /** US dollars; null for none. */
  maxCost: number | null;
  retries: Readonly<{ perRun: number; warnAt: number }>;
}>;

export const DEFAULT_PARALLEL = 3;
export const DEFAULT_MAX_COST = 2;
/** Source: docs/council.md, when a model fails. */
export const RETRIES = { perRun: 30, warnAt: 20 } as const;
export const ATTEMPTS = 3;
/** Longest requested wait that allows an immediate retry, in ms. */
export const SHORT_HINT_MS = 4_000;
/** A question is repeated, then expires, in ms. */
export const NUDGE_MS = 30_000;
export const SKIP_MS = 60_000;

export const hasFallback = ({ model, fallback }: Speaker): boolean => fallback !== null && fallback !== model;

/** A fallback model must have its speaker's vendor, because the user chose that vendor. */
export function speakerProblems(speakers: readonly Speaker[], models?: Catalogue): readonly string[] {
  return speakers.flatMap((speaker) => {
    const problem = boundaryProblem(speaker, models);
    return problem === null ? [] : [`${speaker.name}: ${problem}`];
  });
}

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

/** Removes prohibited models; null if no speaker remains. */
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

/** Both ends included. */
export type Releases = Readonly<{ from: string; to: string }>;

/**
 * Verified with the demo, turns, fault matrix and facts of docs/releases.md, including some releases between. For
 * people only: abilities are measured on the OpenCode itself.
 */
export const PROVEN_OPENCODE: Readonly<Record<number, Releases>> = {
  1: { from: '1.17.19', to: '1.18.34' },
  2: { from: '2.0.15', to: '2.0.15' },
};

/** A pre-release is not equal to its release. */
export function isProven(version: string): boolean {
  const proven = PROVEN_OPENCODE[Number.parseInt(version, 10)];
  return (
    proven !== undefined &&
    /^[\d.]+$/.test(version) &&
    order(version, proven.from) >= 0 &&
    order(version, proven.to) <= 0
  );
}
const order = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

export const isSince = (version: string, first: string): boolean =>
  /^[\d.]+$/.test(version) && order(version, first) >= 0;

/** Newest OpenCode that was seen to load no plugin of our form. */
const LOADS_NOTHING = '1.3.2';

export const isTooOld = (version: string): boolean => /^[\d.]+$/.test(version) && order(version, LOADS_NOTHING) <= 0;

export const rangeText = ({ from, to }: Releases): string => (from === to ? from : `${from} to ${to}`);

export const provenText = (): string => Object.values(PROVEN_OPENCODE).map(rangeText).join(' and ');

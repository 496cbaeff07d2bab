/** A range of releases, both ends included. */
export type Releases = Readonly<{ from: string; to: string }>;

/**
 * The releases of OpenCode that Understudy is proven on, by generation: the demo, the turns, the fault matrix and the facts
 * of docs/releases.md were seen to hold on the first and the last of them and on some between. For people to read: what an
 * OpenCode lets Understudy do is found out on it.
 */
export const PROVEN_OPENCODE: Readonly<Record<number, Releases>> = {
  1: { from: '1.17.19', to: '1.18.34' },
  2: { from: '2.0.15', to: '2.0.15' },
};

/** Whether a release lies in its generation's proven range. One before a release is another one than the release. */
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

/** Whether a release is `first` or a later one; false for a version that is empty or names no release. */
export const isSince = (version: string, first: string): boolean =>
  /^[\d.]+$/.test(version) && order(version, first) >= 0;

/** The newest OpenCode that was seen to load no plugin of the form ours has. */
const LOADS_NOTHING = '1.3.2';

/** Whether an OpenCode is known not to load the companion: too old for the form of its plugin. */
export const isTooOld = (version: string): boolean => /^[\d.]+$/.test(version) && order(version, LOADS_NOTHING) <= 0;

/** A proven range in words. */
export const rangeText = ({ from, to }: Releases): string => (from === to ? from : `${from} to ${to}`);

/** All of them, in words. */
export const provenText = (): string => Object.values(PROVEN_OPENCODE).map(rangeText).join(' and ');

/** A key's place in the file, and what it says there. */
type Said = Readonly<{ path: readonly string[]; value: string | readonly string[] }>;

const NAME = 'published';
const ASK_AGAIN = ['retry:3', 'switch'];
const ROWS = {
  rate_limit: ASK_AGAIN,
  network_transient: ASK_AGAIN,
  permission: ['return'],
  unknown: ['switch'],
} as const;

/**
 * What a file of ours says to behave as the published designs do where Understudy's defaults depart from them and a key
 * decides it: a policy of its own, and what is done when nobody is left. Source: ADR 0030.
 */
export const PUBLISHED_BEHAVIOUR: readonly Said[] = [
  { path: ['defaults', 'policy'], value: NAME },
  { path: ['defaults', 'onExhausted'], value: 'native' },
  { path: ['policies', NAME, 'extends'], value: 'swift' },
  ...Object.entries(ROWS).map(([kind, steps]) => ({ path: ['policies', NAME, 'rows', kind], value: steps })),
];

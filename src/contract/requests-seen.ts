/** Observed at the global fetch, the login plugin's fetch, or not. */
export const REQUESTS_SEEN = ['fetch', 'login', 'none'] as const;
export type RequestsSeen = (typeof REQUESTS_SEEN)[number];

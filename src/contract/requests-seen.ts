/** Where a companion observes a provider's requests: the global fetch, its login plugin's fetch, or nowhere. */
export const REQUESTS_SEEN = ['fetch', 'login', 'none'] as const;
export type RequestsSeen = (typeof REQUESTS_SEEN)[number];

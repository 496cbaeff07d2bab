/** How a companion observes requests to a provider: at the global fetch, at the fetch of its login plugin, or not. */
export const REQUESTS_SEEN = ['fetch', 'login', 'none'] as const;
export type RequestsSeen = (typeof REQUESTS_SEEN)[number];

/** Returns the phrases that readers stumble over, per 10,000 words. */
export function oddRate(texts: readonly string[]): number;

export function supportOf(present: string, latest: string): Readonly<{ isSupported: boolean; words: string }>;

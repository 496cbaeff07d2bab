export const CHARS_PER_TOKEN = 4;
/** Characters of an image or a page: about 1,000 tokens. */
export const MEDIA_CHARS = 4_000;

export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

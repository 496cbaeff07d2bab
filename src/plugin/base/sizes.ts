/** Characters a token stands for, roughly. */
export const CHARS_PER_TOKEN = 4;
/** What an image or a page counts for, in characters: about a thousand tokens. */
export const MEDIA_CHARS = 4_000;

/** What so many characters come to, in tokens, roughly. */
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

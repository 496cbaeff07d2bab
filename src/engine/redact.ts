import { type Evidence, HINT_HEADERS } from './events';

/** Longest message the engine keeps, in characters. */
export const MESSAGE_MAX_CHARS = 500;

/** Read no further than this into a message, in characters: a provider may send megabytes. */
export const READ_MAX_CHARS = 20_000;
/** A text that was cut may end in half a key, which no pattern knows: its last word goes, up to this length. */
const LAST_WORD_MAX_CHARS = 300;

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z\d])(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '[key]'],
  [
    /(?<![A-Za-z\d])(?:(?:sk|pk|rk|gsk|xai|key|nvapi|hf|r8|tgp|csk)[-_.]|gh[opsu]_|AKIA|ASIA|AIza|ya29\.|eyJ)[\w.-]{12,}/g,
    '[key]',
  ],
  [
    /(?<![A-Za-z\d])(api[-_ ]?key|token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi,
    '$1$2[key]',
  ],
];
/** White space that is not one plain space already. */
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
const E_MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
/** Any long run of letters and digits may be a key; a long run of letters alone is a word. */
const LONG_RUN = /(?<![A-Za-z\d_-])[A-Za-z\d_-]{32,}/g;

/** Text safe to keep and show: keys, tokens and e-mail addresses removed, white space folded, at most 500 characters. */
export function redact(text: string): string {
  let clean = beginningOf(text).replace(WHITE_SPACE, ' ').trim();
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  // Looked for only where there is one: this pattern tries every place of a text, and most have no such sign.
  if (clean.includes('@')) clean = clean.replace(E_MAIL, '[e-mail]');
  clean = clean.replace(LONG_RUN, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '[key]' : run));
  return clean.length <= MESSAGE_MAX_CHARS ? clean : `${clean.slice(0, MESSAGE_MAX_CHARS - 1)}…`;
}

function beginningOf(text: string): string {
  if (text.length <= READ_MAX_CHARS) return text;
  const end = text.slice(READ_MAX_CHARS - LAST_WORD_MAX_CHARS, READ_MAX_CHARS).replace(/\S*$/, '');
  return text.slice(0, READ_MAX_CHARS - LAST_WORD_MAX_CHARS) + end;
}

type Worded = Readonly<{ message?: string | undefined; headers?: Readonly<Record<string, string>> | undefined }>;

/** Evidence that may leave the process or be written down: a safe message, and no header but those that hold hints. */
export function redactEvidence<E extends Worded = Evidence>(evidence: E): E {
  const { message, headers } = evidence;
  const kept = HINT_HEADERS.flatMap((name) => (headers?.[name] === undefined ? [] : [[name, headers[name]] as const]));
  return {
    ...evidence,
    ...(message === undefined ? {} : { message: redact(message) }),
    ...(headers === undefined ? {} : { headers: Object.fromEntries(kept) }),
  };
}

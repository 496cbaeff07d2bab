import { KEPT_MAX } from '../base/recent';
import { remember } from '../base/remember';
import { type Evidence, HINT_HEADERS } from '../state/events';

/** Longest message the engine keeps, in characters. */
export const MESSAGE_MAX_CHARS = 500;

/** Read no further than this into a message, in characters: a provider may send megabytes. */
export const READ_MAX_CHARS = 20_000;
/** A text that was cut may end in half a key, which no pattern knows: its last word goes, up to this length. */
const LAST_WORD_MAX_CHARS = 300;

/** Each is a key as a whole; groups before it stay. */
const SECRETS: readonly RegExp[] = [
  // Whole, or cut off in its middle: nothing after such a beginning is for anybody's eyes.
  /()()-----BEGIN [A-Z ]{0,40}KEY-----.*?(?:-----END [A-Z ]{0,40}KEY-----|$)/g,
  /()()(?<=:\\?\/\\?\/)[^\s/?#]{1,300}(?=@)/g,
  /(cookie["']?\s?[:=]\s?["']?)()[^\s"';,=]{1,100}=[^\s"';,]+(?:;\s?[^\s"';,]+)*/gi,
  /(authorization["']?\s?[:=]\s?["']?)()\w+ [^\s"',;]{6,}/gi,
  /()()(?<![A-Za-z\d])(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // How the keys of providers and hosts begin that say so.
  /()()(?<![A-Za-z\d])(?:(?:sk|pk|rk|gsk|xai|key|nvapi|hf|r8|tgp|csk|fw|npm|pplx|glpat|dapi)[-_.]|gh[oprsu]_|github_pat_|xox[a-z]-|xapp-|AKIA|ASIA|ABSK|AIza|ya29\.|GOCSPX-|eyJ)[\w.-]{12,}/g,
  /()()(?<=[?&][\w.-]{0,32}(?:key|token|secret|sig|signature|auth|password|credential|session|code)=)[^&\s"'#]+/gi,
  /(?<![A-Za-z\d])(api[-_ ]?key|token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;&#]{6,}/gi,
  // An id and its secret, as some providers join them.
  /()()(?<![A-Za-z\d])[\da-f]{32}\.[A-Za-z\d]{8,}/g,
];
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
/** Folders of people, whose names are nobody's business, also as JSON escapes them; before a backslash a name may hold spaces. */
const HOME =
  /(?<![\w.])(?:\\{0,2}\/mnt\\{0,2}\/[a-z]|\\{0,2}\/var)?(?:\\{0,2}\/|\\{1,4})(?:home|Users)(?:\\{0,2}\/|\\{1,4})[^\s\\/"':;,]{1,64}(?: [^\\/"':;,]{1,64}(?=\\(?!\/)))?/g;
/** Where drives are, names have spaces: up to whatever slash comes next, or as far as they are written large. */
const HOME_ON_DRIVE =
  /(?<![\w.])[A-Za-z]:(?:\\{0,2}\/|\\{1,4})(?:home|Users)(?:\\{0,2}\/|\\{1,4})[^\s\\/"':;,]{1,64}(?: [^\\/"':;,]{1,64}(?=[\\/])| \p{Lu}[^\s\\/"':;,]{0,63})?/gu;
const LOCAL = /[\w.+-]/;
const LOCAL_MAX_CHARS = 64;
const DOMAIN = /[\w-]{1,63}(?:\.[\w-]{1,63})+/y;
/** Base64 with its signs: 40 characters are a secret of AWS. */
const BASE64_RUN = /(?<![\w/+.:~-])[A-Za-z\d/+]{40,}={0,2}(?![\w/+.-])/g;
/** Any long run of letters and digits may be a key; a long run of letters alone is a word. */
const LONG_RUN = /(?<![A-Za-z\d_-])[A-Za-z\d_-]{32,}/g;

/**
 * Text safe to keep and show: keys, tokens, e-mail addresses and names of people's folders removed, white space folded, at
 * most 500 characters.
 */
export function redact(text: string): string {
  // Most texts are read by more than one border, and what has been through one is clean.
  if (CLEAN.has(text)) return text;
  const clean = cleaned(text);
  if (clean === text) remember(CLEAN, text, true, KEPT_MAX);
  return clean;
}

/** Texts that were found to hold nothing to remove: no other may be kept. */
const CLEAN = new Map<string, true>();

function cleaned(text: string): string {
  let clean = beginningOf(text).replace(WHITE_SPACE, ' ').trim();
  for (const secret of SECRETS) clean = clean.replace(secret, '$1$2[key]');
  clean = withoutAddresses(clean.replace(HOME_ON_DRIVE, '~').replace(HOME, '~')).replace(BASE64_RUN, (run) =>
    isMixed(run) ? '[key]' : run,
  );
  clean = clean.replace(LONG_RUN, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '[key]' : run));
  return clean.length <= MESSAGE_MAX_CHARS ? clean : `${clean.slice(0, MESSAGE_MAX_CHARS - 1)}…`;
}

const isMixed = (run: string): boolean => /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);

/** From each sign outwards: a pattern would try every place of a text that has none. */
function withoutAddresses(text: string): string {
  let clean = '';
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > from && at - start < LOCAL_MAX_CHARS && LOCAL.test(text[start - 1] ?? '')) start--;
    DOMAIN.lastIndex = at + 1;
    if (start === at || !DOMAIN.test(text)) continue;
    clean += `${text.slice(from, start)}[e-mail]`;
    from = DOMAIN.lastIndex;
  }
  return clean + text.slice(from);
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

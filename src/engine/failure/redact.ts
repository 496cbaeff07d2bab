import { KEPT_MAX } from '../base/recent';
import { remember } from '../base/remember';
import { type Evidence, HINT_HEADERS } from '../state/events';

export const MESSAGE_MAX_CHARS = 500;

/** A provider may send megabytes. */
export const READ_MAX_CHARS = 20_000;
/** A cut text may end in half a key, which no pattern matches: its last word is removed. */
const LAST_WORD_MAX_CHARS = 300;

/** Each matches a whole key; its groups stay. */
const SECRETS: readonly RegExp[] = [
  // Everything after such a beginning is secret.
  /()()-----BEGIN [A-Z ]{0,40}KEY-----.*?(?:-----END [A-Z ]{0,40}KEY-----|$)/g,
  /()()(?<=:\\?\/\\?\/)[^\s/?#]{1,300}(?=@)/g,
  /(cookie["']?\s?[:=]\s?["']?)()[^\s"';,=]{1,100}=[^\s"';,]+(?:;\s?[^\s"';,]+)*/gi,
  /(authorization["']?\s?[:=]\s?["']?)()\w+ [^\s"',;]{6,}/gi,
  /()()(?<![A-Za-z\d])(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // Prefixes of providers' and hosts' keys.
  /()()(?<![A-Za-z\d])(?:(?:sk|pk|rk|gsk|xai|key|nvapi|hf|r8|tgp|csk|fw|npm|pplx|glpat|dapi)[-_.]|gh[oprsu]_|github_pat_|xox[a-z]-|xapp-|AKIA|ASIA|ABSK|AIza|ya29\.|GOCSPX-|eyJ)[\w.-]{12,}/g,
  /()()(?<=[?&][\w.-]{0,32}(?:key|token|secret|sig|signature|auth|password|credential|session|code)=)[^&\s"'#]+/gi,
  /(?<![A-Za-z\d])(api[-_ ]?key|token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;&#]{6,}/gi,
  // Some providers join id and secret.
  /()()(?<![A-Za-z\d])[\da-f]{32}\.[A-Za-z\d]{8,}/g,
];
const WHITE_SPACE = /\s{2,}|[^\S ]/g;
/** Home folders contain people's names. Also as in JSON; before a backslash a name may contain spaces. */
const HOME =
  /(?<![\w.])(?:\\{0,2}\/mnt\\{0,2}\/[a-z]|\\{0,2}\/var)?(?:\\{0,2}\/|\\{1,4})(?:home|Users)(?:\\{0,2}\/|\\{1,4})[^\s\\/"':;,]{1,64}(?: [^\\/"':;,]{1,64}(?=\\(?!\/)))?/g;
/** Names on drives contain spaces: up to the next slash, or while words are capitalised. */
const HOME_ON_DRIVE =
  /(?<![\w.])[A-Za-z]:(?:\\{0,2}\/|\\{1,4})(?:home|Users)(?:\\{0,2}\/|\\{1,4})[^\s\\/"':;,]{1,64}(?: [^\\/"':;,]{1,64}(?=[\\/])| \p{Lu}[^\s\\/"':;,]{0,63})?/gu;
const LOCAL = /[\w.+-]/;
const LOCAL_MAX_CHARS = 64;
const DOMAIN = /[\w-]{1,63}(?:\.[\w-]{1,63})+/y;
/** 40 characters are an AWS secret. */
const BASE64_RUN = /(?<![\w/+.:~-])[A-Za-z\d/+]{40,}={0,2}(?![\w/+.-])/g;
/** Letters and digits may be a key; letters alone are a word. */
const LONG_RUN = /(?<![A-Za-z\d_-])[A-Za-z\d_-]{32,}/g;

/** Removes keys, tokens, e-mail addresses and home folders, folds white space, cuts at 500 characters. */
export function redact(text: string): string {
  // Most texts pass here several times.
  if (CLEAN.has(text)) return text;
  const clean = cleaned(text);
  if (clean === text) remember(CLEAN, text, true, KEPT_MAX);
  return clean;
}

/** Only texts without anything to remove may be stored here. */
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

/** Scans outwards from each sign: a pattern would try every position. */
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

/** A redacted message and only the hint headers, safe to send or store. */
export function redactEvidence<E extends Worded = Evidence>(evidence: E): E {
  const { message, headers } = evidence;
  const hints = HINT_HEADERS.flatMap((name) => (headers?.[name] === undefined ? [] : [[name, headers[name]] as const]));
  return {
    ...evidence,
    ...(message === undefined ? {} : { message: redact(message) }),
    ...(headers === undefined ? {} : { headers: Object.fromEntries(hints) }),
  };
}

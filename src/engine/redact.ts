import { type Evidence, HINT_HEADERS } from './events';

/** Longest message the engine keeps, in characters. */
export const MESSAGE_MAX_CHARS = 500;

/** Read no further than this into a message, in characters: a provider may send megabytes. */
const READ_MAX_CHARS = 20_000;

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '[key]'],
  [/\b(?:sk|pk|rk|gsk|xai|key|ghp|gho|ghu|ghs|nvapi|hf|r8|AKIA|ASIA|AIza|ya29|eyJ)[-_.]?[\w.-]{12,}/g, '[key]'],
  [/\b(api[-_ ]?key|token|secret|password|authorization)(["']?\s*[:=]\s*["']?)[^\s"',;]{6,}/gi, '$1$2[key]'],
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, '[e-mail]'],
  [/\b(?=[A-Za-z\d_-]*\d)(?=[A-Za-z\d_-]*[A-Za-z])[A-Za-z\d_-]{32,}\b/g, '[key]'],
];

/** Text safe to keep and show: keys, tokens and e-mail addresses removed, white space folded, at most 500 characters. */
export function redact(text: string): string {
  let clean = text.slice(0, READ_MAX_CHARS).replace(/\s+/g, ' ').trim();
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  return clean.length <= MESSAGE_MAX_CHARS ? clean : `${clean.slice(0, MESSAGE_MAX_CHARS - 1)}…`;
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

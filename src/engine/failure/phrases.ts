import type { FailureKind } from '../base/kinds';
import { recently } from '../base/recent';

/** For folded texts; stateless. */
export type Phrase = readonly [pattern: RegExp, kind: FailureKind];

/** Only the user can refill it. */
const EMPTY_CREDIT =
  /insufficient (?:account )?(?:credit|balance|funds)|out of credits|credits?.{0,11} exhausted|credit balance|(?:no|any) credits|payment (?:required|method|is past due)|please recharge|余额不足|欠费/;

/** More specific than any status; in order. */
const SPECIFIC: readonly Phrase[] = [
  [
    /context (?:length|size|window)|maximum context|maximum (?:prompt|allowed input) length|reduce the length of the messages|prompt exceeds max|(?:prompt|input)(?: token length)?(?: is)? too long|too many tokens(?! ?(?:processed|per |\.? ?,? ?please wait))|maximum number of tokens|exceeded model token limit|range of input length should be|exceeds? context limit|prompt token count of|max size: [\d,]+ tokens|(?<!(?:daily|weekly|monthly) )token limit exceeded/,
    'context_length',
  ],
  [EMPTY_CREDIT, 'quota'],
  [
    /insufficient quota|exceeded (?:your )?current (?:token )?quota|exceeded the \w+ usage quota|budget(?: has been)? (?:exceeded|exhausted)|(?:exceeded|over|crossed) budget|quota.{0,9} exceeded(?!.{0,200}(?:metric|per ?min))|(?:spend(?:ing)?|usage|billing(?: hard)?) ?limit|key limit exceeded|session limit|your extra usage|(?:weekly|daily|monthly|5 hour)(?: token)? ?limit|you have no quota|使用上限|额度已用尽/,
    'quota',
  ],
  [
    /content (?:policy|filter|management policy)|flagged (?:by|as|for)|moderation|considered high risk|guardrail checks? failed|inappropriate content|content exists risk|敏感内容/,
    'content_policy',
  ],
  [
    /do(?:es)?(?: not|n't) support (?:image|pdf|file|tool|vision|audio)|(?:image|pdf|tool|vision)(?: input)?s? (?:is|are) not (?:supported|enabled)|at most \d+ images?|no endpoints found that support|only supported by certain models/,
    'unsupported_input',
  ],
  [
    /model .{0,120}(?:does not exist|not found)|model(?: \S{1,80})? (?:is )?not supported|(?:unknown|invalid|no such) model|no endpoints found|does not exist or you do not have access|not found the model|has been decommissioned|模型不存在/,
    'model_not_found',
  ],
  [
    /rate ?limit|too many requests|resource exhausted|(?:requests|tokens) per (?:min(?:ute)?\b|hour|day)|throttling|quota exceeded for (?:quota )?metric/,
    'rate_limit',
  ],
  [
    /(?:invalid|incorrect|missing|no) (?:x )?api ?key|(?:api|virtual) ?key (?:not valid|is (?:invalid|inactive)|(?:has )?expired)|authentication ?(?:fail(?:ed|s)|error)|invalid authentication/,
    'auth',
  ],
  [
    /refresh (?:access )?token \(?40[013]\b|token refresh failed:? \(?40[013]\b|invalid grant|(?:please|must|need to) (?:log|sign) ?in\b|not (?:logged|signed) in\b|refresh token (?:has |is )?(?:expired|invalid|revoked)|re ?authenticate/,
    'login',
  ],
  [/location is not supported|country, region, or territory not supported|unsupported countr/, 'permission'],
  [
    /overloaded|(?:at|at maximum|over|no) capacity|capacity exceeded|(?:server|service)(?: is)?(?: too)? busy|服务器繁忙/,
    'overloaded',
  ],
  [/please wait before trying again/, 'rate_limit'],
];

/** Only without structured evidence. */
const LOOSE: readonly Phrase[] = [
  // The only number searched for, and only as a status.
  [
    /(?:^|[([]|(?:http|status|code|error|rejected|received|returned|got a?)\W{0,4})429(?!\w|[.,:]\d| (?:tokens|requests|\w*bytes|m?s|files)\b)/,
    'rate_limit',
  ],
  [/\bcapacity\b/, 'overloaded'],
  [/certificate|self signed|tls handshake|ssl/, 'network_permanent'],
  [
    /socket hang up|fetch failed|connection (?:was )?(?:refused|reset|closed|lost)|unable to connect|network (?:error|unreachable)/,
    'network_transient',
  ],
  [/timed? ?out/, 'timeout'],
  [/internal (?:server )?error|bad gateway|service unavailable|upstream|\bno providers\b/, 'server_error'],
];

/** Splits `rate_limit` and `rate-limit` into words. */
export const fold = (text: string): string => text.toLowerCase().replace(/[_-]+/g, ' ');

/** Outranks a status. */
export const kindOfSpecificPhrase: (text: string) => FailureKind | null = recently((text) => matching(SPECIFIC, text));

export const kindOfLoosePhrase = (text: string): FailureKind | null => matching(LOOSE, text);

export const saysEmptyCredit = (text: string): boolean => EMPTY_CREDIT.test(text);

const PER_DAY = /\b[tr]pd\b|\bper day\b|\bdaily\b/;
const PER_MINUTE = /\b[tr]pm\b|\bper ?min(?:ute)?\b/;
const LIMITS = /\blimit(?: is)?[:=]? ?(\d+(?:,\d{3})*)(?![\d.,]*\d)(?! ?(?:remaining|left|\/))/g;

export const namesModel = (text: string): boolean =>
  /\bfor (?:this |the )?(?:model|deployment)\b|\breached for .{1,80} in organization\b/.test(text);

export const saysPerDay = (text: string): boolean => PER_DAY.test(text) && !PER_MINUTE.test(text);

/** Limits of 0 mean that the plan does not include the model. */
export function saysNoLimit(text: string): boolean {
  return text.match(LIMITS)?.every((limit) => /\D0$/.test(limit)) ?? false;
}

/** A limit of 0 never refills; a daily limit is a quota. */
export function limitOf(kind: FailureKind, text: string): FailureKind {
  if ((kind !== 'rate_limit' && kind !== 'quota') || saysEmptyCredit(text)) return kind;
  return saysNoLimit(text) ? 'permission' : saysPerDay(text) ? 'quota' : kind;
}

export function matching(phrases: readonly Phrase[], text: string): FailureKind | null {
  for (const [pattern, kind] of phrases) if (pattern.test(text)) return kind;
  return null;
}

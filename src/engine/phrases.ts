import type { FailureKind } from './kinds';

type Phrase = readonly [pattern: RegExp, kind: FailureKind];

/** Credit that only a person can fill up again; also a quota, but no clock ends it. */
const EMPTY_CREDIT =
  /insufficient[_ ](?:account )?(?:credits?|balance|funds)|out of credits|credit balance|(?:no|any) credits|payment (?:required|method|is past due)|please recharge|余额不足/i;

/** More specific than any status: a body that says this is believed. The first that matches counts. */
const SPECIFIC: readonly Phrase[] = [
  [
    /context[_ ](?:length|size)|maximum context|context window|(?:prompt|input) is too long|input (?:token length )?too long|prompt exceeds max|too many tokens(?! ?(?:processed|per |\.? ?,? ?please wait))|maximum number of tokens|exceeded model token limit|reduce the length of the/i,
    'context_length',
  ],
  [EMPTY_CREDIT, 'quota'],
  [
    /insufficient[_ ]quota|exceeded your current (?:token )?quota|spend(?:ing)? limit|usage limit|key limit exceeded|you have no quota|(?:weekly|daily|monthly|5[- ]hour) (?:usage )?limit|使用上限|额度已用尽/i,
    'quota',
  ],
  [
    /content[_ ](?:policy|filter|management policy)|flagged (?:by|as|for)|moderation|considered high risk/i,
    'content_policy',
  ],
  [
    /(?:does|do)(?: not|n't) support (?:image|pdf|file|tool|vision|audio)|(?:image|pdf|tool|vision)(?: input)?s? (?:is|are) not (?:supported|enabled)|no endpoints found that support|only supported by certain models/i,
    'unsupported_input',
  ],
  [
    /model[_ ]not[_ ](?:found|supported)|model .{0,120}(?:does not exist|(?:is|was)? ?not (?:found|supported))|(?:unknown|invalid) model|no such model|not found the model|no endpoints found/i,
    'model_not_found',
  ],
  [
    /rate[_ -]?limit|too many requests|resource[_ ]exhausted|(?:requests|tokens) per (?:minute|hour|day)|throttling/i,
    'rate_limit',
  ],
  [
    /(?:invalid|incorrect|missing|no) (?:x-)?api[- _]?key|api[- _]?key (?:not valid|is invalid|has expired|expired)|(?:invalid )?authentication (?:failed|fails|error)|invalid authentication/i,
    'auth',
  ],
  [/location is not supported|country, region, or territory not supported/i, 'permission'],
  [/overloaded|at capacity|capacity exceeded|(?:server|service) is (?:too )?busy/i, 'overloaded'],
];

/** Only where nothing structured spoke. */
const LOOSE: readonly Phrase[] = [
  [/certificate|self[- ]signed|TLS handshake|SSL/i, 'network_permanent'],
  [
    /socket hang up|fetch failed|connection (?:was )?(?:refused|reset|closed|lost)|unable to connect|network (?:error|unreachable)/i,
    'network_transient',
  ],
  [/timed? ?out|timeout/i, 'timeout'],
  [/internal (?:server )?error|bad gateway|service unavailable|upstream/i, 'server_error'],
];

/** The kind a message names even against its status; null when it says nothing specific. */
export function kindOfSpecificPhrase(message: string): FailureKind | null {
  return matching(SPECIFIC, message);
}

/** The kind a message hints at, for failures without a status and without a known code; null when it does not. */
export function kindOfLoosePhrase(message: string): FailureKind | null {
  return matching(LOOSE, message);
}

/** Whether a message speaks of credit that only a person can fill up again. */
export function saysEmptyCredit(message: string): boolean {
  return EMPTY_CREDIT.test(message);
}

function matching(phrases: readonly Phrase[], text: string): FailureKind | null {
  for (const [pattern, kind] of phrases) if (pattern.test(text)) return kind;
  return null;
}

/** Rows that fail today, with the reason: they are run as failing, and turn red when they are mended. */
export const KNOWN: Readonly<Record<string, string>> = {
  'a turn: when the lead has no key and is not even asked':
    'The SDK refuses before it calls fetch, so nobody hears of it.',
  'a turn: when the lead ends without a finish':
    'The words it was told to go on from stay when it is left, and are the last the understudy is sent.',
  'a turn: when the lead ends a torn stream without a finish':
    'The words it was told to go on from stay when it is left, and are the last the understudy is sent.',
  'a sub-agent: when the lead of a sub-agent ends without a finish':
    'The words it was told to go on from stay when it is left.',
  'a turn: when the lead breaks off after a long text':
    'The text that is kept is the last the understudy is sent; models that take no prefill refuse that.',
};

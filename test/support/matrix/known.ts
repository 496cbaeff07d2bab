/** Rows that fail today, with the reason: they are run as failing, and turn red when they are mended. */
export const KNOWN: Readonly<Record<string, string>> = {
  'a turn: when the lead answers 400 and calls it an API error':
    'The map `default` reads the type `api_error` as the provider’s fault, whatever the status says.',
  'a turn: when the lead is a model its provider does not have':
    'A prompt for a model OpenCode does not know is not redirected, and OpenCode refuses it.',
  'a turn: when the lead has no key and is not even asked':
    'The SDK refuses before it calls fetch, so nobody hears of it.',
  'a turn: when the lead answers 429 while it compacts':
    'Compaction is watched only, and OpenCode repeats it five times.',
  'a turn: when the model of titles answers 429': 'Titles are watched only, and the session stays without one.',
};

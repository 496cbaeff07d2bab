export const METHODS = {
  attempts:
    'Every attempt counts in the hour it started, and so does its outcome. Answered, slow, failed, limited, neutral and running attempts add up to all attempts.',
  successRate:
    'Answered and slow attempts against failed and limited ones; neutral and running attempts are left out. Bounds: 95 % Wilson score.',
  latency:
    'Percentiles by nearest rank over fixed bins: exact below 100 ms, at most 1 % off above. The mean is over answered attempts.',
  cost: 'Sum of the reports that have a price, in whole billionths; the priced share is their share of all reports.',
  timeLost: 'Time spent in failed or limited attempts of turns, and in waits before asking again.',
  timeSaved:
    'For a turn finished on a fallback model: from its answer to when the primary would have been back, by its provider’s word, else by our estimate. At most one hour a turn; overlapping stretches of one session count once; a primary that no clock heals counts apart, with no time.',
  availability:
    'Answered turns against answered and failed ones. Without fallback only turns that the primary itself answered count; one it was not asked for, because it was out, counts as lost.',
  turnsSaved:
    'A request failed on the primary and a fallback model finished the turn. Spared: a fallback model answered, and no request failed on the primary.',
  quality:
    'Answers are answered attempts and those that ended empty or cut. Continuations and bad tool arguments may happen more than once in an answer, and are set against the answers of hosts that tell of them; where none does there is no figure.',
  toolErrors:
    'Calls of tools that failed, by reason. Repeated: the call before, of the same model in the same session, failed for the same reason.',
  range: 'Whole hours: a range that begins or ends inside an hour covers all of it.',
} as const;

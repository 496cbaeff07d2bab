export const METHODS = {
  attempts:
    'Every attempt and its outcome count in the hour in which it started. Answered, slow, failed, limited, neutral and running attempts add up to all attempts.',
  successRate:
    'Answered and slow attempts divided by these plus failed and limited ones; neutral and running attempts do not count. Bounds: 95 % Wilson score.',
  latency:
    'Nearest-rank percentiles over fixed bins: exact below 100 ms, at most 1 % off above. The mean covers answered attempts.',
  cost: 'Sum of all reports with a price, in whole billionths. The priced share is their share of all reports.',
  timeLost: 'Time spent in failed or limited attempts of turns, and in waits before retries.',
  timeSaved:
    'For a turn that a fallback model finished: from its answer until the primary would have been available again, as its provider reported or as we estimate. At most one hour per turn; overlapping periods of a session count once; a primary that time alone does not restore counts separately, without time.',
  availability:
    'Answered turns divided by answered and failed ones. Without fallback, only turns that the primary itself answered count as answered; a turn that skipped an unavailable primary counts as lost.',
  turnsSaved:
    'A request failed on the primary and a fallback model finished the turn. Spared: a fallback model answered and no request failed on the primary.',
  quality:
    'Answers are answered attempts and those that ended empty or interrupted. Continuations and bad tool arguments may occur several times in an answer; they are divided by the answers of hosts that report them. Without such a host there is no figure.',
  toolErrors:
    'Failed tool calls, by reason. Repeated: the previous call of the same model in the same session failed for the same reason.',
  range: 'Whole hours: a range that begins or ends within an hour covers the whole hour.',
} as const;

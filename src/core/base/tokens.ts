import type { Tokens } from '../../engine/scorecard';

/** Tokens of every sort together. */
export const tokensOf = ({ input, output, reasoning, cacheRead, cacheWrite }: Tokens): number =>
  input + output + reasoning + cacheRead + cacheWrite;

import type { Tokens } from '../../engine/scorecard';

export const tokensOf = ({ input, output, reasoning, cacheRead, cacheWrite }: Tokens): number =>
  input + output + reasoning + cacheRead + cacheWrite;

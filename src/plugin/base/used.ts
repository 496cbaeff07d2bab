import type { UsageRecorded } from '../../protocol';

export type HostTokens = Readonly<{
  input?: number;
  output?: number;
  reasoning?: number;
  cache?: Readonly<{ read?: number; write?: number }>;
}>;

/** A missing or invalid count is 0. */
export function tokensOf(tokens: HostTokens | undefined): UsageRecorded['tokens'] {
  const count = (value: number | undefined): number =>
    value !== undefined && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
  return {
    input: count(tokens?.input),
    output: count(tokens?.output),
    reasoning: count(tokens?.reasoning),
    cacheRead: count(tokens?.cache?.read),
    cacheWrite: count(tokens?.cache?.write),
  };
}

/** US dollars; OpenCode's 0 means an unknown price. */
export const costOf = (cost: number | undefined): number | null => (cost !== undefined && cost > 0 ? cost : null);

/** `cost` in US dollars. */
export type Probed =
  | Readonly<{ ok: true; tookMs: number; cost: number }>
  /** `said` is null without a provider's response. */
  | Readonly<{ ok: false; reason: string; tookMs: number; said: ProbeAnswer | null }>;

export type ProbeAnswer = Readonly<{ status?: number; message: string }>;

/** `env` has the user's login. */
export type ProbeOptions = Readonly<{
  model: string;
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

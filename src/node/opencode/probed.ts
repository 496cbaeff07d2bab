/** `cost` in US dollars as OpenCode counts it. */
export type Probed =
  | Readonly<{ ok: true; tookMs: number; cost: number }>
  /** `said` is the provider's response; null without one. */
  | Readonly<{ ok: false; reason: string; tookMs: number; said: ProbeAnswer | null }>;

export type ProbeAnswer = Readonly<{ status?: number; message: string }>;

/** `env` is the user's own: the request uses their login. */
export type ProbeOptions = Readonly<{
  model: string;
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

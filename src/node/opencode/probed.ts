/** What a model said to one smallest request; `cost` in dollars as OpenCode counts it. */
export type Probed =
  | Readonly<{ ok: true; tookMs: number; cost: number }>
  /** `said` is what the provider answered; null where none did. */
  | Readonly<{ ok: false; reason: string; tookMs: number; said: ProbeAnswer | null }>;

/** What a provider said, with its status where it gave one. */
export type ProbeAnswer = Readonly<{ status?: number; message: string }>;

/** What a probe needs; `env` is the user's own, because the request goes with their login. */
export type ProbeOptions = Readonly<{
  model: string;
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

/** Result of one smallest request to a model; `cost` in US dollars as OpenCode counts it. */
export type Probed =
  | Readonly<{ ok: true; tookMs: number; cost: number }>
  /** `said` is the provider's response; null without one. */
  | Readonly<{ ok: false; reason: string; tookMs: number; said: ProbeAnswer | null }>;

/** A provider's response, with its status if it sent one. */
export type ProbeAnswer = Readonly<{ status?: number; message: string }>;

/** Options of a probe; `env` is the user's own, because the request uses their login. */
export type ProbeOptions = Readonly<{
  model: string;
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  limitMs: number;
}>;

import type { Offers } from '../../../core/base/offers';
import type { LiveFigures } from '../rules/base/live';
import type { BenchmarkValue } from '../rules/base/values';
import type { KeptChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';

type Outcome<T = unknown> = (Readonly<{ ok: true }> & T) | Readonly<{ ok: false; reason: string }>;

export type RankingBook = Readonly<{
  /** Empty if unreadable. Never throws. */
  read(): Kept;
  /**
   * Applies all changes or none, durably across a power cut. Returns a reason for the user, and throws for a change
   * that is not JSON.
   */
  change(changes: readonly KeptChange[]): Outcome;
  whyNot(): string | null;
}>;

export type RankingWorld = Readonly<{
  /** Unix ms and place of OpenCode's list of models; null before the first one. */
  listed: Readonly<{ at: number; directory: string }> | null;
  offers: Offers;
  agents: readonly string[];
  /** Patterns as written; empty if unknown. */
  present: readonly string[];
  /** OpenCode calls it first unless the chain names it later; null if unknown. */
  lead: string | null;
  written: readonly string[];
  /** Only the primary's vendor may take over. */
  isOneVendor: boolean;
  /** Relative to the primary's price; null is no limit. */
  maxPriceRatio: number | null;
  depth: number;
}>;

/** A chain with tiers, and the limit of switches in the user's file if it must rise. */
export type ProposedWrite = Readonly<{
  directory: string | null;
  agent: string;
  tiers: readonly Readonly<{ name: string; models: readonly string[] }>[];
  scope: 'project' | 'global' | null;
  create: boolean;
  depth: number | null;
  actor: string;
}>;

/** `seen`: contents at the preview. */
export type PlannedFile = Readonly<{ path: string; diff: string; seen: string | null }>;

export type Errand = Readonly<{ signal: AbortSignal; tell(done: number, of: number): void }>;

export type RankingPort = Readonly<{
  book: RankingBook;
  world(directory: string | null, agent: string): Promise<RankingWorld>;
  /** @param sinceMs Unix ms. */
  live(agent: string, sinceMs: number): Promise<ReadonlyMap<string, LiveFigures>>;
  plan(write: ProposedWrite): Promise<Outcome<{ files: readonly PlannedFile[] }>>;
  apply(
    write: ProposedWrite,
    seen: readonly (string | null)[],
  ): Promise<Outcome<{ files: readonly Readonly<{ path: string; receipt: string | null }>[] }>>;
  digest(text: string): string;
  newId(): string;
  /** Null if OpenCode can call models. */
  whyNoProbe(): Promise<string | null>;
  probe(
    model: string,
    directory: string | null,
    errand: Errand,
  ): Promise<Readonly<{ isAnswered: boolean; reason: string | null }>>;
  /**
   * Returns only indices if the key allows no more.
   * @param key null uses the environment variable.
   */
  artificialAnalysis(
    key: string | null,
    errand: Errand,
  ): Promise<Outcome<{ values: readonly BenchmarkValue[]; isIndicesOnly: boolean }>>;
  hasArtificialAnalysisKey(): boolean;
}>;

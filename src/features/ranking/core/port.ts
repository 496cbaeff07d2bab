import type { Offers } from '../../../core/base/offers';
import type { LiveFigures } from '../rules/base/live';
import type { BenchmarkValue } from '../rules/base/values';
import type { KeptChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';

type Outcome<T = unknown> = (Readonly<{ ok: true }> & T) | Readonly<{ ok: false; reason: string }>;

/** Store of the user's data and decisions for rankings. */
export type RankingBook = Readonly<{
  /** Reads all; empty if unreadable. Never throws. */
  read(): Kept;
  /**
   * Applies all changes or none, durably: they survive the end of the process and a power cut. Rejected with a reason
   * for the user; throws for a change that is not JSON.
   */
  change(changes: readonly KeptChange[]): Outcome;
  /** Why nothing can be stored here; null if it can. */
  whyNot(): string | null;
}>;

export type RankingWorld = Readonly<{
  /** Time (Unix ms) and place of OpenCode's list of models; null before the first one. */
  listed: Readonly<{ at: number; directory: string }> | null;
  offers: Offers;
  /** Agents that have a chain, or may have one. */
  agents: readonly string[];
  /** The agent's models in order, with patterns as written; empty if unknown. */
  present: readonly string[];
  /** OpenCode's own model of the agent: called first unless the chain names it later; null if unknown. */
  lead: string | null;
  /** The agent's own chain in its file; empty without one. */
  written: readonly string[];
  /** Only models of the primary's vendor may take over. */
  isOneVendor: boolean;
  /** Maximum price of a model relative to the primary's; null is no limit. */
  maxPriceRatio: number | null;
  /** Maximum number of switches in a turn. */
  depth: number;
}>;

/** A chain with tiers for one file; if a limit has to be raised as well, also for the user's file. */
export type ProposedWrite = Readonly<{
  directory: string | null;
  agent: string;
  tiers: readonly Readonly<{ name: string; models: readonly string[] }>[];
  scope: 'project' | 'global' | null;
  create: boolean;
  /** New maximum number of switches in a turn; null leaves it unchanged. */
  depth: number | null;
  actor: string;
}>;

/** Planned contents of a file, and its contents at the time of the preview. */
export type PlannedFile = Readonly<{ path: string; diff: string; seen: string | null }>;

/** Context of a phase with external requests: cancellation and progress. */
export type Errand = Readonly<{ signal: AbortSignal; tell(done: number, of: number): void }>;

/** Input and output of rankings. */
export type RankingPort = Readonly<{
  book: RankingBook;
  world(directory: string | null, agent: string): Promise<RankingWorld>;
  /** Results of each model for an agent since that time, Unix ms. */
  live(agent: string, sinceMs: number): Promise<ReadonlyMap<string, LiveFigures>>;
  plan(write: ProposedWrite): Promise<Outcome<{ files: readonly PlannedFile[] }>>;
  /** Rejected if a file has changed since the preview. */
  apply(
    write: ProposedWrite,
    seen: readonly (string | null)[],
  ): Promise<Outcome<{ files: readonly Readonly<{ path: string; receipt: string | null }>[] }>>;
  /** A short hash of a text. */
  digest(text: string): string;
  newId(): string;
  /** Why models cannot be called through OpenCode; null if they can. */
  whyNoProbe(): Promise<string | null>;
  probe(
    model: string,
    directory: string | null,
    errand: Errand,
  ): Promise<Readonly<{ isAnswered: boolean; reason: string | null }>>;
  /**
   * Reads values of Artificial Analysis; only its indices if the key allows no more.
   * @param key null uses the environment variable.
   */
  artificialAnalysis(
    key: string | null,
    errand: Errand,
  ): Promise<Outcome<{ values: readonly BenchmarkValue[]; isIndicesOnly: boolean }>>;
  hasArtificialAnalysisKey(): boolean;
}>;

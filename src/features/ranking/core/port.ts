import type { Offers } from '../../../core/base/offers';
import type { LiveFigures } from '../rules/base/live';
import type { BenchmarkValue } from '../rules/base/values';
import type { KeptChange } from '../rules/kept/change';
import type { Kept } from '../rules/kept/kept';

type Outcome<T = unknown> = (Readonly<{ ok: true }> & T) | Readonly<{ ok: false; reason: string }>;

/** Who keeps what a person has given or decided for rankings. */
export type RankingBook = Readonly<{
  /** All there is; nothing where it cannot be read. Never throws. */
  read(): Kept;
  /**
   * Makes all changes or none, and is done when it returns: they outlive this process, and the power. Refused with a reason
   * for people; a change that is no JSON throws.
   */
  change(changes: readonly KeptChange[]): Outcome;
  /** Why nothing can be kept here; null where it can. */
  whyNot(): string | null;
}>;

export type RankingWorld = Readonly<{
  /** When OpenCode listed its models, in Unix ms, and where; null when it has not yet. */
  listed: Readonly<{ at: number; directory: string }> | null;
  offers: Offers;
  /** Agents that have a chain, or may have one. */
  agents: readonly string[];
  /** Whom the agent asks, in order, with patterns as they are written: its primary, and who follows; empty where nobody knows. */
  present: readonly string[];
  /** OpenCode's own model of the agent: asked first unless its own chain names it behind another; null where nobody knows. */
  lead: string | null;
  /** The agent's own chain as its file has it; empty where it has none. */
  written: readonly string[];
  /** Only models of the first one's vendor may take over. */
  isOneVendor: boolean;
  /** A model may cost at most so many times what the first costs; null is no limit. */
  maxPriceRatio: number | null;
  /** Switches a turn may make. */
  depth: number;
}>;

/** A chain that is written in tiers, in one file; where a limit has to be raised as well, in the user's own. */
export type ProposedWrite = Readonly<{
  directory: string | null;
  agent: string;
  tiers: readonly Readonly<{ name: string; models: readonly string[] }>[];
  scope: 'project' | 'global' | null;
  create: boolean;
  /** Switches a turn may make from then on; null leaves what is written. */
  depth: number | null;
  actor: string;
}>;

/** One file as it would be, and what it held when that was shown. */
export type PlannedFile = Readonly<{ path: string; diff: string; seen: string | null }>;

/** What a phase that asks somebody outside needs to go on, to tell and to end. */
export type Errand = Readonly<{ signal: AbortSignal; tell(done: number, of: number): void }>;

/** Reads, writes and asks for rankings. */
export type RankingPort = Readonly<{
  book: RankingBook;
  world(directory: string | null, agent: string): Promise<RankingWorld>;
  /** How each model did for an agent since then, in Unix ms. */
  live(agent: string, sinceMs: number): Promise<ReadonlyMap<string, LiveFigures>>;
  plan(write: ProposedWrite): Promise<Outcome<{ files: readonly PlannedFile[] }>>;
  /** Refused when a file holds something else than was seen. */
  apply(
    write: ProposedWrite,
    seen: readonly (string | null)[],
  ): Promise<Outcome<{ files: readonly Readonly<{ path: string; receipt: string | null }>[] }>>;
  /** A short mark of a text, another one for another text. */
  digest(text: string): string;
  newId(): string;
  /** Whether there is an OpenCode to ask models through; null where there is. */
  whyNoProbe(): Promise<string | null>;
  probe(
    model: string,
    directory: string | null,
    errand: Errand,
  ): Promise<Readonly<{ isAnswered: boolean; reason: string | null }>>;
  /** Values of Artificial Analysis, of its indices alone where the key reads no more. @param key null for the one of the environment. */
  artificialAnalysis(
    key: string | null,
    errand: Errand,
  ): Promise<Outcome<{ values: readonly BenchmarkValue[]; isIndicesOnly: boolean }>>;
  hasArtificialAnalysisKey(): boolean;
}>;

import type { KeptChange } from '../../ranking/kept/change';
import type { Kept } from '../../ranking/kept/kept';

/** Who keeps what a person has given or decided for rankings. */
export type RankingPort = Readonly<{
  /** All there is; nothing where it cannot be read. Never throws. */
  read(): Kept;
  /**
   * Makes all changes or none, and is done when it returns: they outlive this process, and the power. Refused with a reason
   * for people; a change that is no JSON throws.
   */
  change(changes: readonly KeptChange[]): Readonly<{ ok: true }> | Readonly<{ ok: false; reason: string }>;
}>;

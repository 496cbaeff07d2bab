/** An entry of test/nightly: a rule whose own tests are nightly, an edit that breaks it, and a faster test that fails then. */
export type Proof = Readonly<{
  table: string;
  tests: readonly string[];
  rule: string;
  break: Readonly<{ file: string; find: string; replace: string }>;
  fails: Readonly<{ project: string; file: string; name: string }>;
}>;
/** Entries of test/nightly. */
export function readProofs(folder?: string): readonly Proof[];
/** Nightly tests, as "file > suite > test", that no entry names. */
export function unproven(names: readonly string[], entries: readonly Pick<Proof, 'tests'>[]): readonly string[];
/** Tells if the text that an entry edits occurs exactly once in its file. */
export function fits(text: string, edit: Pick<Proof['break'], 'find'>): boolean;

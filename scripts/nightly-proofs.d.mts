export type Proof = Readonly<{
  table: string;
  tests: readonly string[];
  rule: string;
  break: Readonly<{ file: string; find: string; replace: string }>;
  fails: Readonly<{ project: string; file: string; name: string }>;
}>;
export function readProofs(folder?: string): readonly Proof[];
export function unproven(names: readonly string[], entries: readonly Pick<Proof, 'tests'>[]): readonly string[];
export function fits(text: string, edit: Pick<Proof['break'], 'find'>): boolean;

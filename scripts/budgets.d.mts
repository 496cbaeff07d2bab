export function readBudgets(root?: string): Readonly<Record<string, number>>;
export function exceeded(
  measured: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
): readonly string[];

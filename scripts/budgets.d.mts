/** Limits of budgets.json, by measure. */
export function readBudgets(root?: string): Readonly<Record<string, number>>;
/** Measures that exceed their limit or have none, each as a sentence. */
export function exceeded(
  measured: Readonly<Record<string, number>>,
  limits: Readonly<Record<string, number>>,
): readonly string[];

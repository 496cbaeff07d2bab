type Conditions = Readonly<{ metric?: string; dataset?: string; version?: string; harness?: string }>;

export function decisionOn(
  result: Readonly<{ name: string }> & Conditions,
): Readonly<{ benchmark: string; unit: string }> | Readonly<{ why: string }> | null;

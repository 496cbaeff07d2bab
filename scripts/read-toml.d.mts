type Table = Readonly<{ name: string; isList: boolean; values: Readonly<Record<string, unknown>> }>;

export function readToml(
  text: string,
  path: string,
): Readonly<{ head: Readonly<Record<string, unknown>>; tables: readonly Table[] }>;

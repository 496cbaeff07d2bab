/** US dollars per million tokens. */
export type Price = Readonly<{ in: number; out: number }>;

export type Closers = Readonly<{
  /** Remembers how to close what was just opened. */
  add(close: () => unknown): void;
  /** Closes everything, newest first, and reports what did not close; a second call has nothing left to do. */
  closeAll(): Promise<readonly string[]>;
}>;

/** Makes an empty collection. */
export function createClosers(): Closers {
  const open: (() => unknown)[] = [];
  return {
    add: (close) => open.push(close),
    async closeAll() {
      const problems: string[] = [];
      for (let close = open.pop(); close !== undefined; close = open.pop()) {
        try {
          await close();
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error));
        }
      }
      return problems;
    },
  };
}

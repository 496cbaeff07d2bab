export type Closers = Readonly<{
  add(close: () => unknown): void;
  /** Closes everything, newest first, and returns failures; a second call does nothing. */
  closeAll(): Promise<readonly string[]>;
}>;

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

/** Resolves when the work has ended. Its error belongs to the caller of the work. */
export const settled = async (work: Promise<unknown>): Promise<void> => {
  // silent: the caller of the work receives the rejection
  await work.catch(() => undefined);
};

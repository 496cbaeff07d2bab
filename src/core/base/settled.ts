/** The caller of the work handles its error. */
export const settled = async (work: Promise<unknown>): Promise<void> => {
  // silent: the caller of the work receives the rejection
  await work.catch(() => undefined);
};

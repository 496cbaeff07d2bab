/** @returns a function that stops it. */
export function whileVisible(begin: () => () => void): () => void {
  let end = document.hidden ? null : begin();
  const turn = () => {
    end?.();
    end = document.hidden ? null : begin();
  };
  document.addEventListener('visibilitychange', turn);
  return () => {
    document.removeEventListener('visibilitychange', turn);
    end?.();
  };
}

/** Waits until the page is visible. @returns a function that cancels it. */
export function runLater(run: () => void, ms: number): () => void {
  const dueAt = performance.now() + ms;
  const end = whileVisible(() => {
    const timer = setTimeout(
      () => {
        end();
        run();
      },
      Math.max(0, Math.ceil(dueAt - performance.now())),
    );
    return () => clearTimeout(timer);
  });
  return end;
}

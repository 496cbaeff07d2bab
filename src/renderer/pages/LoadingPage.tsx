import { Bones, useLate } from '../components/Waiting';
import { usePanelState } from '../panel';

/** Before the first snapshot: nothing for a moment, then the shape of what will come, or why it does not. */
export function LoadingPage() {
  const isUnreachable = usePanelState((state) => state.link === 'lost' || state.isSilent);
  const isLate = useLate();
  if (isUnreachable) {
    return (
      <header className="head">
        <div className="head-text">
          <h1>Understudy does not answer.</h1>
          <p className="lede">
            Nothing is known yet, so nothing is shown. This page connects by itself when Understudy runs again; if it
            was started anew, open the address it printed.
          </p>
        </div>
      </header>
    );
  }
  if (!isLate) return null;
  return (
    <>
      <header className="head">
        <div className="head-text">
          <h1>Reading the last snapshot</h1>
        </div>
      </header>
      <Bones />
    </>
  );
}

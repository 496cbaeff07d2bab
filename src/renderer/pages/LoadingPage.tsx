import { useEffect, useState } from 'react';
import { shellTexts } from '../../texts';
import { usePanelState } from '../panel';

/** Sooner than this a first snapshot is simply there. */
const PATIENCE_MS = 300;
const BONES = ['a', 'b', 'c'];

/** Before the first snapshot: nothing for a moment, then the shape of what will come, or why it does not. */
export function LoadingPage() {
  const { loading } = shellTexts();
  const isUnreachable = usePanelState((state) => state.link === 'lost' || state.isSilent);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isUnreachable) {
    return (
      <header className="head">
        <div className="head-text">
          <h1>{loading.unreachable}</h1>
          <p className="lede">{loading.unreachableLede}</p>
        </div>
      </header>
    );
  }
  if (!isLate) return null;
  return (
    <>
      <header className="head">
        <div className="head-text">
          <h1>{loading.reading}</h1>
        </div>
      </header>
      <ul className="card" aria-hidden="true">
        {BONES.map((bone) => (
          <li className="mini" key={bone}>
            <span className="bone" />
            <span className="bone bone-wide" />
            <span className="bone" />
          </li>
        ))}
      </ul>
    </>
  );
}

import { useEffect, useState } from 'react';
import { sessionTexts } from '../../texts';

/** Shorter waits show nothing. */
const PATIENCE_MS = 300;
const BONES = ['a', 'b', 'c'];

export function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

export function Bones() {
  return (
    <ul className="card" aria-hidden="true">
      {BONES.map((bone) => (
        <li className="mini" key={bone}>
          <span className="bone" />
          <span className="bone bone-wide" />
          <span className="bone" />
        </li>
      ))}
    </ul>
  );
}

export function Unanswered({ problem, onAgain }: Readonly<{ problem: string; onAgain: () => void }>) {
  const { title, again } = sessionTexts().trouble;
  return (
    <section className="card card-body empty" role="alert">
      <h2>{title}</h2>
      <p className="muted">{problem}</p>
      <button className="btn" type="button" onClick={onAgain}>
        {again}
      </button>
    </section>
  );
}

import { useEffect, useState } from 'react';
import { usageTexts } from '../../../texts';
import { CopyButton } from '../../components/CopyButton';
import { type ShownView, viewHref } from './address';

type EmptyProps = Readonly<{
  title: string;
  text: string;
  view?: ShownView;
  hasImport?: boolean;
}>;

export function Empty({ title, text, view, hasImport = false }: EmptyProps) {
  const { states, card } = usageTexts();
  return (
    <section className="card card-body empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {view && (
        <a className="btn" href={viewHref({ ...view, range: { kind: 'all' } })}>
          {states.showAll}
        </a>
      )}
      {hasImport && (
        <div className="example">
          <p>{states.import}</p>
          <div className="example-code">
            <pre>{states.importCommand}</pre>
            <CopyButton text={states.importCommand} label={card.copy} />
          </div>
        </div>
      )}
    </section>
  );
}

type FailedProps = Readonly<{ reason: string; hasAnswer: boolean; onAgain: () => void }>;

export function Failed({ reason, hasAnswer, onAgain }: FailedProps) {
  const { states } = usageTexts();
  return (
    <section className="card card-body empty" role="alert">
      <h2>{states.failedTitle}</h2>
      <p>{hasAnswer ? states.failed(reason) : reason}</p>
      <button className="btn" type="button" onClick={onAgain}>
        {states.again}
      </button>
    </section>
  );
}

/** Shorter waits show nothing. */
const PATIENCE_MS = 300;
const BONES = ['a', 'b', 'c', 'd'];

export function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <div className="charts" role="status" aria-label={usageTexts().states.loading}>
      {BONES.map((bone) => (
        <div className="card card-body usage-bones" key={bone}>
          <span className="bone" />
          <span className="bone bone-wide" />
        </div>
      ))}
    </div>
  );
}

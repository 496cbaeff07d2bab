import { eventLogTexts } from '../../texts';

/** Why events cannot be shown, and a way to ask once more. */
export function Failure({ reason, onAgain }: Readonly<{ reason: string; onAgain: () => void }>) {
  const { failedTitle, tryAgain } = eventLogTexts();
  return (
    <div className="card card-body empty" role="alert">
      <h2>{failedTitle}</h2>
      <p className="muted">{reason}</p>
      <button className="btn" type="button" onClick={onAgain}>
        {tryAgain}
      </button>
    </div>
  );
}

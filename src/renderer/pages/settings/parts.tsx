import type { ReactNode } from 'react';
import { settingsTexts } from '../../../texts';

export function SettingsCard({
  id,
  title,
  caption,
  children,
}: Readonly<{ id: string; title: string; caption?: string; children: ReactNode }>) {
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {caption && <span className="cap">{caption}</span>}
      </div>
      {children}
    </section>
  );
}

export function Tick({
  label,
  hint,
  isOn,
  isDisabled = false,
  onTurn,
}: Readonly<{
  label: string;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onTurn: (isOn: boolean) => void;
}>) {
  return (
    <label className="tick">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <span className="cap">{hint}</span>}
      </span>
    </label>
  );
}

export function Failed({ problem, again }: Readonly<{ problem: string; again: () => void }>) {
  const texts = settingsTexts();
  return (
    <section className="card card-body setup-acts" role="alert">
      <p>{texts.failed(problem)}</p>
      <button className="btn" type="button" onClick={again}>
        {texts.again}
      </button>
    </section>
  );
}

export const Looking = () => <p className="card card-body muted">{settingsTexts().loading}</p>;

export function Broken({ problem }: Readonly<{ problem: string }>) {
  return (
    <section className="card card-body" role="alert">
      <p>{settingsTexts().broken}</p>
      <p className="path">{problem}</p>
    </section>
  );
}

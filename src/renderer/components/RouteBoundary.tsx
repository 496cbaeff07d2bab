import { Component, type ReactNode } from 'react';
import { faultTexts } from '../../texts';
import { reasonOf } from '../app/asked';
import { NotLoaded } from '../app/lazy-view';
import { hrefOf } from '../app/routes';
import { CopyButton } from './CopyButton';

type Props = Readonly<{ view: string; children: ReactNode }>;

/** Limits a rendering error to its view. */
export class RouteBoundary extends Component<Props, Readonly<{ error: unknown }>> {
  override state: Readonly<{ error: unknown }> = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('unknown') };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Broken view={this.props.view} error={error} onAgain={() => this.setState({ error: null })} />;
  }
}

type BrokenProps = Readonly<{ view: string; error: unknown; onAgain: () => void }>;

function Broken({ view, error, onAgain }: BrokenProps) {
  const texts = faultTexts();
  const isMissing = error instanceof NotLoaded;
  const reason = reasonOf(error);
  // The browser caches a failed import; only a reload repeats it.
  const again = isMissing ? () => window.location.reload() : onAgain;
  return (
    <section className="card card-body empty" role="alert">
      <h1>{isMissing ? texts.notLoaded(view) : texts.broken(view)}</h1>
      <p className="muted">{isMissing ? texts.notLoadedHint : texts.brokenHint}</p>
      {!isMissing && <code>{reason}</code>}
      <div className="actions">
        <button className="btn btn-main" type="button" onClick={again}>
          {isMissing ? texts.reload : texts.again}
        </button>
        <a className="btn" href={hrefOf('now')}>
          {texts.toNow}
        </a>
        <CopyButton text={error instanceof Error ? (error.stack ?? reason) : reason} label={texts.copy} />
      </div>
    </section>
  );
}

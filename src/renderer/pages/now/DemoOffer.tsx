import { useEffect, useState } from 'react';
import type { DemoStatus } from '../../../contract/demo';
import { demoTexts } from '../../../texts';
import { usePanel } from '../../app/panel';
import { CopyButton } from '../../components/CopyButton';

export function DemoOffer() {
  const texts = demoTexts();
  const [status, run] = useDemo();
  if (!status) return null;
  return (
    <section className="card card-body empty" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <p className="muted">{texts.lede}</p>
      <p className="small" role="status">
        {status.state === 'starting' && texts.starting}
        {status.state === 'running' && texts.running}
      </p>
      {status.state === 'failed' && (
        <p className="small" role="alert">
          {texts.failed(status.reason)} <span className="muted">{texts.needs}</span>
        </p>
      )}
      <div className="actions">
        {status.state === 'running' ? (
          <Running url={status.url} onStop={() => run('demo.stop')} />
        ) : (
          <button
            className="btn"
            type="button"
            aria-disabled={status.state === 'starting'}
            onClick={() => status.state === 'starting' || run('demo.start')}
          >
            {status.state === 'failed' ? texts.again : texts.start}
          </button>
        )}
      </div>
    </section>
  );
}

/** The desktop window opens no other pages. */
function Running({ url, onStop }: Readonly<{ url: string; onStop: () => void }>) {
  const texts = demoTexts();
  return (
    <>
      {window.understudy ? (
        <CopyButton text={url} label={texts.copy} />
      ) : (
        <a className="btn" href={url} target="_blank" rel="noreferrer">
          {texts.open}
        </a>
      )}
      <button className="btn" type="button" onClick={onStop}>
        {texts.stop}
      </button>
    </>
  );
}

type Deed = 'demo.status' | 'demo.start' | 'demo.stop';

/** Null before the first status. */
function useDemo(): readonly [DemoStatus | null, (deed: Deed) => void] {
  const { api } = usePanel();
  const [status, setStatus] = useState<DemoStatus | null>(null);
  const [deed, setDeed] = useState<Readonly<{ name: Deed }>>({ name: 'demo.status' });
  useEffect(() => {
    let isOver = false;
    const take = (next: DemoStatus) => {
      if (isOver) return;
      setStatus(next);
      // Another window started it: wait for its end here too.
      if (next.state === 'starting') setDeed({ name: 'demo.start' });
    };
    if (deed.name === 'demo.start') setStatus({ state: 'starting' });
    // silent: the reader is told that nothing answered
    api.ask(deed.name, null).then(take, () => take({ state: 'failed', reason: demoTexts().noAnswer }));
    return () => {
      isOver = true;
    };
  }, [api, deed]);
  return [status, (name) => setDeed({ name })];
}

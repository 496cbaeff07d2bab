import type { QueryOutput } from '../../../contract/contract';
import type { Snapshot } from '../../../contract/snapshot';
import { nowTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { hrefOf } from '../../app/routes';
import { ConfigExample } from '../../components/ConfigExample';
import { isUnused, namedIn } from '../setup/facts';
import { DemoOffer } from './DemoOffer';

export function FirstStep({ snapshot }: Readonly<{ snapshot: Snapshot }>) {
  const { none } = nowTexts();
  const isUnknown = isUnused(snapshot);
  const { answer } = useAnswer('setup.detect', { directory: null }, String(isUnknown), isUnknown);
  if (isUnknown) {
    const { title, text } = wordsOf(answer);
    return (
      <>
        <section className="card card-body empty" aria-label={none.nextStep}>
          <h2>{title}</h2>
          <p className="muted">{text}</p>
          <a className="btn btn-main" href={hrefOf('setup')}>
            {none.connect}
          </a>
        </section>
        {!snapshot.app.isDemo && <DemoOffer />}
      </>
    );
  }
  // With fallback off, chains exist that are not in force.
  const isOff = snapshot.others.some(({ by }) => by === 'off');
  if (snapshot.connection.status !== 'connected' || snapshot.chains.length > 0 || isOff) return null;
  return (
    <section className="card card-body empty" aria-label={none.nextStep}>
      <h2>{none.addUnderstudy}</h2>
      <a className="btn btn-main" href={hrefOf('setup')}>
        {none.propose}
      </a>
      <ConfigExample />
    </section>
  );
}

function wordsOf(found: QueryOutput<'setup.detect'> | null): Readonly<{ title: string; text: string }> {
  const { none } = nowTexts();
  if (found === null) return { title: none.title, text: none.text };
  const [version] = found.opencodes;
  if (version === undefined) return { title: none.absent, text: none.absentText };
  if (namedIn(found)) return { title: none.named(version), text: none.namedText };
  const [file] = found.files;
  return { title: none.found(version), text: none.foundText(file ? (file.path.split(/[\\/]/).at(-1) ?? '') : '') };
}

import { useId, useState } from 'react';
import { ShowRest } from '../../../renderer/components/More';
import { Heard } from '../../../renderer/pages/headroom/Heard';
import { fleetPageTexts } from '../../../texts';
import { type MachineRow, shortMachine } from '../wording/fleet-page-words';
import type { Fleet } from './use-fleet';

const SHOWN = 20;

export function MachinesCard({ machines, heed }: Pick<Fleet, 'machines' | 'heed'>) {
  const id = useId();
  const [isWhole, showWhole] = useState(false);
  const texts = fleetPageTexts().machines;
  const shown = isWhole ? machines : machines.slice(0, SHOWN);
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{texts.title}</h2>
        {machines.length > 0 && <span className="cap">{texts.caption}</span>}
      </div>
      {machines.length === 0 ? (
        <p className="card-body muted">{texts.none}</p>
      ) : (
        <ul aria-labelledby={id}>
          {shown.map((machine) => (
            <Machine key={machine.id} machine={machine} heed={heed} />
          ))}
          <ShowRest count={machines.length - shown.length} show={() => showWhole(true)} />
        </ul>
      )}
    </section>
  );
}

function Machine({ machine, heed }: Readonly<{ machine: MachineRow }> & Pick<Fleet, 'heed'>) {
  const texts = fleetPageTexts().machines;
  const { id, name, version, seenAt, isIgnored } = machine;
  return (
    <li className="fl-machine">
      <span className="fl-who">
        <b className={isIgnored ? 'dim' : undefined}>{name}</b>
        {isIgnored && <span className="fl-off small">{texts.ignored}</span>}
      </span>
      <span className="cap fl-facts">
        <span>{seenAt === null ? texts.unheard : <Heard seenAt={seenAt} />}</span>
        {version !== null && <span>{texts.version(version)}</span>}
        <code title={id}>{shortMachine(id)}</code>
      </span>
      <button
        className="btn btn-sm"
        type="button"
        aria-label={isIgnored ? texts.heedThis(name) : texts.ignoreThis(name)}
        disabled={heed === null}
        onClick={() => heed?.(machine)}
      >
        {isIgnored ? texts.heed : texts.ignore}
      </button>
    </li>
  );
}

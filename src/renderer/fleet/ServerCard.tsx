import { useId } from 'react';
import { type FleetStatus, missingPhrase } from '../../contract';
import { fleetPageTexts } from '../../texts';
import { CommandLine } from '../components/CommandLine';

/** What is missing here or what the server does not do, in its own words, and what finds out more. Nothing where all is well. */
export function ServerCard({ status: { missing, trouble } }: Readonly<{ status: FleetStatus }>) {
  const id = useId();
  const { server, begin } = fleetPageTexts();
  const words = missing === null ? (trouble?.reason ?? null) : missingPhrase(missing);
  if (words === null) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{server.title}</h2>
      </div>
      <div className="card-body stack fl-steps">
        <dl className="pairs">
          <dt>{missing === null ? server.reason : server.missing}</dt>
          <dd className="path">{words}</dd>
        </dl>
        <p>{server.doctor}</p>
        <CommandLine command={server.command} label={begin.copy} />
      </div>
    </section>
  );
}

import { useId } from 'react';
import { CommandLine } from '../../../renderer/components/CommandLine';
import { fleetPageTexts } from '../../../texts';
import type { FleetStatus } from '../contract/fleet';

export function ServerCard({ status: { missing, trouble } }: Readonly<{ status: FleetStatus }>) {
  const id = useId();
  const { server, begin } = fleetPageTexts();
  if (missing === null && trouble === null) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{server.title}</h2>
      </div>
      <div className="card-body stack fl-steps">
        {trouble !== null && (
          <dl className="pairs">
            <dt>{server.reason}</dt>
            <dd className="path">{trouble.reason}</dd>
          </dl>
        )}
        <p>{server.doctor}</p>
        <CommandLine command={server.command} label={begin.copy} />
      </div>
    </section>
  );
}

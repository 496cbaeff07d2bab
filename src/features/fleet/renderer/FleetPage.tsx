import { useSnapshot, useStale } from '../../../renderer/app/panel';
import { PageHead } from '../../../renderer/components/PageHead';
import { Bones, Unanswered, useLate } from '../../../renderer/components/Waiting';
import { useAccounts } from '../../../renderer/pages/headroom/use-accounts';
import { shellTexts } from '../../../texts';
import { fleetAccounts, fleetHeadline } from '../wording/fleet-page-words';
import { BeginCard } from './BeginCard';
import { MachinesCard } from './MachinesCard';
import { ProbesCard } from './ProbesCard';
import { ServerCard } from './ServerCard';
import { SharedAccounts } from './SharedAccounts';
import { ToldCard } from './ToldCard';
import { type Fleet, useFleet } from './use-fleet';

export function FleetPage() {
  const fleet = useFleet();
  const isLate = useLate();
  const { cause } = useStale();
  const { status, problem, again } = fleet;
  const { title, lede } = status ? fleetHeadline(status) : { title: shellTexts().views.fleet, lede: '' };
  return (
    <>
      <PageHead title={title} lede={lede} isOtherWay />
      {problem !== null && cause !== 'link' && <Unanswered problem={problem} onAgain={again} />}
      {status === null && problem === null && isLate && <Bones />}
      {status !== null && <Shown status={status} fleet={fleet} />}
    </>
  );
}

type ShownProps = Readonly<{ status: NonNullable<Fleet['status']>; fleet: Fleet }>;

function Shown({ status, fleet: { machines, share, heed } }: ShownProps) {
  const { models } = useSnapshot();
  const { accounts: headroom, now } = useAccounts();
  const isIn = status.state !== 'off' && status.state !== 'unready';
  const accounts = fleetAccounts(status, { models, headroom }, machines);
  return (
    <div className="fleet">
      <div className="stack">
        {status.state === 'off' && <BeginCard />}
        <ServerCard status={status} />
        {isIn && <MachinesCard machines={machines} heed={heed} />}
        {isIn && <ProbesCard accounts={accounts} />}
        {isIn && <ToldCard share={share} />}
      </div>
      <div className="stack">
        {isIn ? <SharedAccounts accounts={accounts} now={now} /> : <ToldCard share={share} />}
      </div>
    </div>
  );
}

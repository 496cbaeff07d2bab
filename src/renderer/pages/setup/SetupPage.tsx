import { useReducer, useState } from 'react';
import type { Snapshot } from '../../../contract/snapshot';
import { setupTexts } from '../../../texts';
import { protectedPhrase } from '../../../wording/attention-words';
import { shortName } from '../../../wording/wording';
import { useAnswer, useSoonAgain } from '../../app/asked';
import { useSnapshot } from '../../app/panel';
import { OutLink } from '../../components/OutLink';
import { PageHead } from '../../components/PageHead';
import { ProjectChoice, projectsOf } from '../../components/ProjectChoice';
import { ChoiceCard } from './ChoiceCard';
import { ConnectCard, Uninstall } from './ConnectCard';
import { DoctorCard } from './DoctorCard';
import { DrillCard } from './DrillCard';
import { EarlierChanges } from './EarlierChanges';
import { armedChains, factAt, namedIn, nextStep, type Step } from './facts';
import { ProposalCard } from './ProposalCard';
import { Steps } from './Steps';

const RECEIPTS_SHOWN = 10;

export function SetupPage() {
  const snapshot = useSnapshot();
  const [directory, setDirectory] = useState<string | null>(null);
  const [writes, onWritten] = useReducer((count: number) => count + 1, 0);
  const directories = projectsOf(snapshot);
  const chosen = directory !== null && directories.includes(directory) ? directory : null;
  const key = [chosen, writes, snapshot.connection.status, snapshot.chains.length].join(' ');
  const detected = useAnswer('setup.detect', { directory: chosen }, key);
  const doctor = useAnswer('doctor.run', { directory: chosen }, key);
  const receipts = useAnswer('setup.receipts', { limit: RECEIPTS_SHOWN }, String(writes));
  const proposed = useAnswer('setup.propose', { directory: chosen }, key);
  useSoonAgain(proposed, proposed.answer?.listed === null && snapshot.connection.status === 'connected');
  const next = detected.answer ? nextStep(snapshot, detected.answer, doctor.answer) : 'detect';
  const texts = setupTexts();
  const isUnconnected = next === 'detect' || next === 'connect' || next === 'restart';
  const connect = detected.answer && (
    <ConnectCard key={key} directory={chosen} detected={detected.answer} onWritten={onWritten} isNext={isUnconnected} />
  );
  return (
    <>
      <PageHead {...headOf(snapshot, next, detected.answer ? (namedIn(detected.answer)?.path ?? '') : null)}>
        {detected.answer && next === 'detect' && <OutLink link="opencode" label={texts.head.guide} />}
      </PageHead>
      <div className="setup-bar">
        <Steps next={next} factAt={(step) => factAt(step, next, snapshot, detected.answer)} />
        {directories.length > 0 && <ProjectChoice directories={directories} value={chosen} onChoose={setDirectory} />}
      </div>
      {detected.problem !== null && <p className="card card-body">{texts.failed(detected.problem)}</p>}
      <div className="setup">
        <div className="stack">
          {isUnconnected && connect}
          {next !== 'connect' && (
            <ProposalCard
              directory={chosen}
              directories={directories}
              proposed={proposed}
              onWritten={onWritten}
              isNext={next === 'chains'}
            />
          )}
          <DrillCard directories={directories} isNext={next === 'drill' || next === null} />
        </div>
        <div className="stack">
          <DoctorCard doctor={doctor} isNext={next === 'drill' || next === null} />
          {next !== 'connect' && <ChoiceCard writes={writes} onWritten={onWritten} />}
          <EarlierChanges receipts={receipts} onWritten={onWritten} />
          {!isUnconnected && connect}
        </div>
      </div>
      {detected.answer && <Uninstall directory={chosen} detected={detected.answer} onWritten={onWritten} />}
    </>
  );
}

/** Empty without a file; null while loading. */
function headOf(snapshot: Snapshot, next: Step | null, path: string | null): Readonly<{ title: string; lede: string }> {
  const { head, chains } = setupTexts();
  if (path === null) return { title: head.looking, lede: head.lookingMore };
  const drill = snapshot.lastDrill;
  const armed = armedChains(snapshot);
  const protectedAgents = protectedPhrase(snapshot);
  switch (next) {
    case 'detect':
      return { title: head.absent, lede: head.absentMore };
    case 'connect':
      return { title: head.connect, lede: head.connectMore };
    case 'restart':
      return { title: head.restart, lede: head.restartMore(path) };
    case 'chains':
      return { title: head.chains, lede: head.chainsMore };
    case 'drill':
      return {
        // A companion reads a new chain before its next decision: no agent is protected earlier.
        title: armed > 0 ? protectedAgents || head.drill : head.drill,
        lede: [armed > 0 ? chains.armed(armed) : '', head.drillMore].join(' ').trim(),
      };
    case null:
      return {
        title: protectedAgents || head.done,
        lede: head.doneMore(drill?.agent ?? '', shortName(drill?.model ?? ''), shortName(drill?.to ?? '')),
      };
  }
}

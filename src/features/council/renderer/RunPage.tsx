import { useEffect, useRef, useState } from 'react';
import { wishNewRun } from '../../../renderer/app/commands/new-council';
import { useCommands } from '../../../renderer/app/commands/use-commands';
import { useEscapeTo, useFocusOnMain } from '../../../renderer/app/detail-page';
import { isHeld } from '../../../renderer/app/held';
import { useSnapshot } from '../../../renderer/app/panel';
import { hrefOf } from '../../../renderer/app/routes';
import { Icon } from '../../../renderer/components/Icon';
import { PageHead } from '../../../renderer/components/PageHead';
import { Bones, Unanswered, useLate } from '../../../renderer/components/Waiting';
import { councilPageTexts } from '../../../texts';
import type { CouncilView } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';
import { isOver, runHeadline } from '../wording/council-page-words';
import { Banner, Banners } from './Banners';
import { Board } from './Board';
import { ExportBar, ExportMenu, formatsOf, useExportRun } from './ExportRun';
import { Ideas } from './Ideas';
import { Knowledge } from './Knowledge';
import { PartyCard } from './PartyCard';
import { ReportView } from './ReportView';
import { RemoveDialog, StopDialog } from './RunDialogs';
import { StageBar } from './StageBar';
import { Transcript } from './Transcript';
import { useRun } from './use-council';

type Shown = 'report' | 'run';
type Asked = 'stop' | 'remove';

export function RunPage({ run }: Readonly<{ run: string }>) {
  const { answer: view, row, problem, isAsking, again } = useRun(run);
  const [dialog, ask] = useState<Asked | null>(null);
  // A user who watched the end stays on that view.
  const [chosen, choose] = useState<Shown | null>(null);
  const wasUnderWay = useWasUnderWay(row);
  const shown = chosen ?? (wasUnderWay ? 'run' : 'report');
  useEscapeTo(hrefOf('council'));
  useFocusOnMain();
  useRunCommands(row, ask);
  if (row === null) return <NoRun isUnknown={problem === null && !isAsking} problem={problem} again={again} />;
  const hasEnded = isOver(row);
  return (
    <>
      <RunHead row={row} onAsk={ask} />
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
      <Banners row={row} onStop={() => ask('stop')} />
      {hasEnded && wasUnderWay && chosen === null && (
        <Ready isStopped={view?.row.state === 'stopped'} onShow={() => choose('report')} />
      )}
      {hasEnded && <Switch shown={shown} onShow={choose} />}
      {view &&
        (hasEnded && shown === 'report' ? <ReportView view={view} row={row} /> : <Played view={view} row={row} />)}
      {view === null && problem === null && <Late />}
      {dialog === 'stop' && <StopDialog row={row} onDone={again} onEnd={() => ask(null)} />}
      {dialog === 'remove' && <RemoveDialog row={row} onDone={goBack} onEnd={() => ask(null)} />}
    </>
  );
}

const goBack = (): void => {
  window.location.hash = hrefOf('council');
};

function useWasUnderWay(row: CouncilRunRow | null): boolean {
  const was = useRef(false);
  if (row !== null && !isOver(row)) was.current = true;
  return was.current;
}

type NoRunProps = Readonly<{ isUnknown: boolean; problem: string | null; again: () => void }>;

function NoRun({ isUnknown, problem, again }: NoRunProps) {
  const texts = councilPageTexts().head;
  const isLate = useLate();
  const isMissing = isUnknown && isLate;
  return (
    <>
      <PageHead
        title={isMissing ? texts.unknown : texts.title}
        lede={isMissing ? texts.unknownHint : problem === null ? texts.reading : ''}
        isHistory
      >
        <a className="btn btn-quiet" href={hrefOf('council')}>
          {texts.all}
        </a>
      </PageHead>
      {problem !== null && <Unanswered problem={problem} onAgain={again} />}
    </>
  );
}

function Late() {
  return useLate() ? <Bones /> : null;
}

type HeadProps = Readonly<{ row: CouncilRunRow; onAsk: (dialog: Asked) => void }>;

function RunHead({ row, onAsk }: HeadProps) {
  const { at } = useSnapshot();
  const texts = councilPageTexts();
  const hasEnded = isOver(row);
  const canStop = !hasEnded && row.isPlayed;
  return (
    <PageHead {...runHeadline(row, at)} isHistory>
      <a className="btn btn-quiet" href={hrefOf('council')}>
        {texts.head.all}
      </a>
      {hasEnded && <ExportBar row={row} />}
      {!hasEnded && row.state !== 'not_begun' && <ExportMenu row={row} />}
      {hasEnded && (
        <button className="btn" type="button" onClick={wishNewRun}>
          {texts.report.again}
        </button>
      )}
      {canStop && (
        <button className="btn" type="button" onClick={() => onAsk('stop')}>
          <Icon name="stop" />
          {texts.stop.button}
        </button>
      )}
      {row.state === 'not_begun' && (
        <button className="btn" type="button" onClick={() => onAsk('remove')}>
          {texts.runs.remove}
        </button>
      )}
    </PageHead>
  );
}

function Ready({ isStopped, onShow }: Readonly<{ isStopped: boolean; onShow: () => void }>) {
  const texts = councilPageTexts().report;
  return (
    <Banner icon={isStopped ? 'stop' : 'check'} title={isStopped ? texts.hasStopped : texts.ready} more="">
      <button className="btn btn-main" type="button" onClick={onShow}>
        {texts.show}
      </button>
    </Banner>
  );
}

function Switch({ shown, onShow }: Readonly<{ shown: Shown; onShow: (shown: Shown) => void }>) {
  const texts = councilPageTexts().report;
  return (
    <div className="co-switch">
      <fieldset className="seg" aria-label={texts.which}>
        {(['report', 'run'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={shown === each} onClick={() => onShow(each)}>
            {texts[each]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

type PlayedProps = Readonly<{ view: CouncilView; row: CouncilRunRow }>;

function Played({ view, row }: PlayedProps) {
  const [chosen, choose] = useState<string | null>(null);
  const followed = useFollowed(view.members);
  const member = view.members.some(({ id }) => id === chosen) ? chosen : followed;
  const isPlayed = row.isPlayed && !isOver(row);
  const Found = view.report.activity === 'code_review' ? Board : Ideas;
  return (
    <>
      {view.stages.length > 0 && <StageBar view={view} />}
      <div className="coun">
        <PartyCard run={row.run} view={view} chosen={member} onChoose={choose} isPlayed={isPlayed} />
        <Found report={view.report}>
          <Knowledge knowledge={view.knowledge} members={view.members} />
        </Found>
        <Transcript row={row} view={view} member={member} onChoose={choose} />
      </div>
    </>
  );
}

/** Follows the active participant, unless the user chooses one or reads. */
function useFollowed(members: CouncilView['members']): string | null {
  const last = useRef<string | null>(null);
  const isRead = isHeld(document.querySelector('.co-talk'));
  const isKnown = members.some(({ id }) => id === last.current);
  const isSpeaking = members.some(({ id, state }) => id === last.current && state === 'works');
  if (isKnown && (isRead || isSpeaking)) return last.current;
  const speaker = members.find(({ state }) => state === 'works');
  last.current = speaker?.id ?? (isKnown ? last.current : (members[0]?.id ?? null));
  return last.current;
}

function useRunCommands(row: CouncilRunRow | null, ask: (dialog: Asked) => void): void {
  const save = useExportRun(row?.run ?? '');
  const latest = useRef(row);
  useEffect(() => {
    latest.current = row;
  });
  useCommands(() => {
    const texts = councilPageTexts();
    const { current } = latest;
    if (current === null || current.state === 'not_begun') return [];
    const exports = formatsOf(current).map((format) => ({
      ...({ id: format === 'md' ? 'export' : `export ${format}`, group: 'here', icon: 'export' } as const),
      title: texts.export.as(texts.export.formats[format]),
      run: () => void save(format),
    }));
    const canStop = !isOver(current) && current.isPlayed;
    const stop = { id: 'council-stop', group: 'here', icon: 'stop' } as const;
    return [...exports, ...(canStop ? [{ ...stop, title: texts.stop.title, run: () => ask('stop') }] : [])];
  });
}

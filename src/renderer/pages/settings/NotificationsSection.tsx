import { useState } from 'react';
import type { NoticeOutcome } from '../../../contract/notices';
import { NOTICES, type PreferencesPatch } from '../../../contract/preferences';
import { settingsTexts } from '../../../texts';
import { clock } from '../../../wording/wording';
import { reasonOf, useAnswer } from '../../app/asked';
import { useCoreNow, usePanel } from '../../app/panel';
import { noticePermission, type TestOutcome, testNotice } from './browser-notice';
import { Broken, Failed, Looking, SettingsCard, Tick } from './parts';
import { useSettings } from './use-settings';

const HOUR_MS = 3_600_000;
type Change = (notices: NonNullable<PreferencesPatch['notices']>) => void;

export function NotificationsSection() {
  const { inForce, problem, again, change } = useSettings();
  const onChange: Change = (notices) => change({ notices });
  return (
    <>
      <Where />
      {problem !== null && <Failed problem={problem} again={again} />}
      {inForce === null && problem === null && <Looking />}
      {inForce?.problem && <Broken problem={inForce.problem} />}
      {inForce && (
        <>
          <Choices notices={inForce.preferences.notices} isFixed={inForce.problem !== null} onChange={onChange} />
          <Quiet notices={inForce.preferences.notices} isFixed={inForce.problem !== null} onChange={onChange} />
        </>
      )}
    </>
  );
}

function Where() {
  const { api } = usePanel();
  const shell = useAnswer('shell.get', {}, 'shell');
  const [permission, setPermission] = useState(noticePermission);
  const [outcome, setOutcome] = useState<TestOutcome | NoticeOutcome | 'asking' | null>(null);
  const texts = settingsTexts().notices;
  const { answer, problem, again } = shell;
  if (problem !== null) return <Failed problem={problem} again={again} />;
  if (answer === null) return <Looking />;
  const ask = async () => setPermission(await Notification.requestPermission());
  const test = async () => {
    setOutcome('asking');
    setOutcome(
      answer.notices === null
        ? await testNotice(texts.testTitle, texts.testBody)
        : await api.ask('notices.test', {}).catch((error: unknown) => ({ kind: 'failed', why: reasonOf(error) })),
    );
    // The result may change the desktop's state.
    again();
  };
  return (
    <SettingsCard id="where" title={texts.where}>
      <div className="card-body ticks">
        <p>{answer.notices === null ? texts.permission[permission] : desktopText(answer.notices)}</p>
        <p className="muted">{texts.inPanel}</p>
        <div className="setup-acts">
          {answer.notices === null && permission === 'default' && (
            <button className="btn" type="button" onClick={() => void ask()}>
              {texts.ask}
            </button>
          )}
          <button className="btn" type="button" disabled={outcome === 'asking'} onClick={() => void test()}>
            {texts.test}
          </button>
          <p role="status">{outcome !== null && outcomeText(outcome)}</p>
        </div>
      </div>
    </SettingsCard>
  );
}

function desktopText(outcome: NoticeOutcome): string {
  const { desktop } = settingsTexts().notices;
  return outcome.kind === 'failed' ? desktop.failed(outcome.why) : desktop[outcome.kind];
}

function outcomeText(outcome: TestOutcome | NoticeOutcome | 'asking'): string {
  const { outcomes, failures } = settingsTexts().notices;
  if (outcome === 'asking') return outcomes.asking;
  if (outcome.kind !== 'failed') return outcomes[outcome.kind];
  const { why } = outcome;
  // A browser has three fixed reasons, a desktop any text.
  return outcomes.failed(Object.entries(failures).find(([name]) => name === why)?.[1] ?? why);
}

type Props = Readonly<{
  notices: NonNullable<ReturnType<typeof useSettings>['inForce']>['preferences']['notices'];
  isFixed: boolean;
  onChange: Change;
}>;

function Choices({ notices, isFixed, onChange }: Props) {
  const texts = settingsTexts().notices;
  return (
    <SettingsCard id="chosen" title={texts.chosen}>
      <div className="ticks card-body">
        {NOTICES.map((id) => (
          <Tick
            key={id}
            label={texts.ids[id]}
            isOn={notices.chosen[id]}
            isDisabled={isFixed}
            onTurn={(isOn) => onChange({ chosen: { [id]: isOn } })}
          />
        ))}
      </div>
    </SettingsCard>
  );
}

function Quiet({ notices, isFixed, onChange }: Props) {
  const texts = settingsTexts().notices;
  const { enabled } = notices.quietHours;
  const now = useCoreNow(undefined);
  const isMuted = notices.mutedUntil !== null && notices.mutedUntil > now;
  const mute = (mutedUntil: number | null) => onChange({ mutedUntil });
  return (
    <SettingsCard id="quiet" title={texts.quiet}>
      <div className="card-body ticks">
        <Tick
          label={texts.quietOn}
          isOn={enabled}
          isDisabled={isFixed}
          onTurn={(isOn) => onChange({ quietHours: { enabled: isOn } })}
        />
        <div className="setup-acts">
          {(['from', 'until'] as const).map((end) => (
            <TimeField
              key={`${end} ${notices.quietHours[end]}`}
              label={texts[end]}
              value={notices.quietHours[end]}
              isDisabled={isFixed || !enabled}
              onSet={(time) => onChange({ quietHours: { [end]: time } })}
            />
          ))}
        </div>
      </div>
      <div className="card-body setup-acts">
        <p>
          <b>{texts.mute}</b> {isMuted ? texts.mutedUntil(clock(notices.mutedUntil ?? 0)) : texts.notMuted}
        </p>
        <button className="btn" type="button" disabled={isFixed} onClick={() => mute(now + HOUR_MS)}>
          {texts.forAnHour}
        </button>
        <button className="btn" type="button" disabled={isFixed} onClick={() => mute(endOfDay(now))}>
          {texts.forToday}
        </button>
        {isMuted && (
          <button className="btn" type="button" disabled={isFixed} onClick={() => mute(null)}>
            {texts.unmute}
          </button>
        )}
      </div>
    </SettingsCard>
  );
}

type TimeProps = Readonly<{ label: string; value: string; isDisabled: boolean; onSet: (time: string) => void }>;

/** Applies on blur: partial input is a different time. */
function TimeField({ label, value, isDisabled, onSet }: TimeProps) {
  return (
    <label className="choice">
      <span>{label}</span>
      <input
        className="field"
        type="time"
        required
        defaultValue={value}
        disabled={isDisabled}
        onBlur={({ currentTarget: field }) => {
          if (field.value !== '' && field.value !== value) onSet(field.value);
        }}
      />
    </label>
  );
}

const endOfDay = (now: number): number => new Date(now).setHours(24, 0, 0, 0);

import { type FormEvent, useState } from 'react';
import type { DataInfo } from '../../../contract/data';
import { type PreferencesInForce, PreferencesPatch } from '../../../contract/preferences';
import { settingsTexts, spokenLanguage } from '../../../texts';
import { reasonOf, useAnswer } from '../../app/asked';
import { type Panel, usePanel, useSnapshot } from '../../app/panel';
import { hrefOf } from '../../app/routes';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { Broken, Failed, Looking, SettingsCard } from './parts';
import { useSettings } from './use-settings';

const KIBIBYTE = 1_024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB'] as const;

/** "1.4 MiB". */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(KIBIBYTE)));
  return `${numberText(bytes / KIBIBYTE ** power)} ${UNITS[power]}`;
}

const numberText = (value: number): string =>
  new Intl.NumberFormat(spokenLanguage(), { maximumFractionDigits: 1 }).format(value);

export function DataSection() {
  const { settings } = useSnapshot();
  const data = useAnswer('data.info', null, String(settings), true);
  return (
    <>
      {data.problem !== null && <Failed problem={data.problem} again={data.again} />}
      {data.answer === null && data.problem === null && <Looking />}
      {data.answer && <Kept info={data.answer} />}
      <Keeping />
      {data.answer && <Copies info={data.answer} again={data.again} />}
      <Export />
      <Erase again={data.again} />
    </>
  );
}

function Kept({ info }: Readonly<{ info: DataInfo }>) {
  const texts = settingsTexts().data;
  const { history } = info;
  const since = (at: number) => new Intl.DateTimeFormat(spokenLanguage(), { dateStyle: 'medium' }).format(at);
  return (
    <SettingsCard id="kept" title={texts.kept}>
      <dl className="pairs card-body">
        <dt>{texts.history}</dt>
        {history === null ? (
          <dd>
            {texts.none} {info.why}
          </dd>
        ) : (
          <dd>
            <span>
              {sizeText(history.bytes)}, {texts.attempts(numberText(history.attempts), history.attempts === 1)}
              {history.oldestAt !== null && `, ${texts.since(since(history.oldestAt))}`}
            </span>
            <span className="path">{history.path}</span>
            {history.refused > 0 && <span>{texts.refused(history.refused)}</span>}
          </dd>
        )}
        <dt>{texts.log}</dt>
        <dd>{sizeText(info.logBytes)}</dd>
        <dt>{texts.folder}</dt>
        <dd className="path">{info.folder}</dd>
      </dl>
    </SettingsCard>
  );
}

function Keeping() {
  const { inForce, problem, again, change } = useSettings();
  if (problem !== null) return <Failed problem={problem} again={again} />;
  if (inForce === null) return <Looking />;
  if (inForce.problem !== null) return <Broken problem={inForce.problem} />;
  const { detailDays, maxMebibytes } = inForce.preferences.history;
  // External changes restart the form.
  return <KeepingForm key={`${detailDays} ${maxMebibytes}`} inForce={inForce} change={change} />;
}

type KeepingProps = Readonly<{ inForce: PreferencesInForce; change: (patch: PreferencesPatch) => void }>;

function KeepingForm({ inForce, change }: KeepingProps) {
  const texts = settingsTexts().data;
  const { history } = inForce.preferences;
  const [days, setDays] = useState(String(history.detailDays));
  const [size, setSize] = useState(String(history.maxMebibytes));
  const wish = { history: { detailDays: Number(days), maxMebibytes: Number(size) } };
  const wrong = PreferencesPatch.safeParse(wish).error?.issues.map(({ path }) => path.at(-1)) ?? [];
  const isSame = wish.history.detailDays === history.detailDays && wish.history.maxMebibytes === history.maxMebibytes;
  const save = (event: FormEvent) => {
    event.preventDefault();
    change(wish);
  };
  return (
    <SettingsCard id="keep" title={settingsTexts().data.keep}>
      <form className="card-body set-fields" onSubmit={save}>
        <NumberField
          label={texts.days}
          hint={texts.daysMore}
          value={days}
          isWrong={wrong.includes('detailDays')}
          onSet={setDays}
        />
        <NumberField
          label={texts.size}
          hint={texts.sizeMore}
          value={size}
          isWrong={wrong.includes('maxMebibytes')}
          onSet={setSize}
        />
        <div className="set-end">
          <button className="btn btn-main" type="submit" disabled={isSame || wrong.length > 0}>
            {settingsTexts().save}
          </button>
        </div>
      </form>
    </SettingsCard>
  );
}

type NumberProps = Readonly<{
  label: string;
  hint: string;
  value: string;
  isWrong: boolean;
  onSet: (value: string) => void;
}>;

function NumberField({ label, hint, value, isWrong, onSet }: NumberProps) {
  return (
    <label className="set-field">
      <span>{label}</span>
      <input
        className="field"
        inputMode="numeric"
        value={value}
        aria-invalid={isWrong}
        onChange={(event) => onSet(event.currentTarget.value)}
      />
      <span className={isWrong ? 'small wrong' : 'cap'}>{hint}</span>
    </label>
  );
}

type Progress = Readonly<{ isBusy: boolean; said: string }>;

async function work(
  panel: Panel,
  tell: (progress: Progress) => void,
  act: (panel: Panel) => Promise<string>,
): Promise<void> {
  tell({ isBusy: true, said: settingsTexts().data.working });
  const message = await act(panel).catch((error: unknown) => settingsTexts().failed(reasonOf(error)));
  tell({ isBusy: false, said: message });
}

function Copies({ info, again }: Readonly<{ info: DataInfo; again: () => void }>) {
  const panel = usePanel();
  const texts = settingsTexts().data;
  const [{ isBusy, said: message }, tell] = useState<Progress>({ isBusy: false, said: '' });
  const backUp = () =>
    work(panel, tell, async ({ api }) => {
      const made = await api.ask('data.backup', null);
      return made.ok ? texts.backedUp(made.path, sizeText(made.bytes)) : made.reason;
    }).then(again);
  const take = () =>
    work(panel, tell, async ({ api }) => {
      const made = await api.ask('data.import', null);
      return made.ok ? texts.taken(numberText(made.found), numberText(made.added)) : made.reason;
    }).then(again);
  return (
    <SettingsCard id="copies" title={texts.copy}>
      <div className="card-body stack">
        <div className="setup-acts">
          <button
            className="btn"
            type="button"
            disabled={isBusy || info.history === null}
            onClick={() => void backUp()}
          >
            {texts.backup}
          </button>
          <button className="btn" type="button" disabled={isBusy || !info.opencode.isThere} onClick={() => void take()}>
            {texts.take}
          </button>
          <p role="status">{message}</p>
        </div>
        <p className="cap">{info.opencode.isThere ? texts.takeMore : texts.absent(info.opencode.path)}</p>
      </div>
      {info.backups.length > 0 && (
        <ul aria-label={texts.backups}>
          {info.backups.slice(0, BACKUPS_SHOWN).map(({ path, bytes }) => (
            <li className="set-row" key={path}>
              <span>
                <span className="path">{path}</span>
                <span className="cap">{sizeText(bytes)}</span>
              </span>
              <CopyButton text={path} label={texts.copyPath} />
            </li>
          ))}
        </ul>
      )}
    </SettingsCard>
  );
}

const BACKUPS_SHOWN = 5;

function Export() {
  const texts = settingsTexts().data;
  return (
    <SettingsCard id="export" title={texts.export}>
      <div className="card-body stack">
        <p>{texts.exportMore}</p>
        <div className="setup-acts">
          <code>{texts.command}</code>
          <CopyButton text={texts.command} label={texts.copyCommand} />
          <a className="link" href={hrefOf('usage')}>
            {texts.usage}
          </a>
        </div>
      </div>
    </SettingsCard>
  );
}

function Erase({ again }: Readonly<{ again: () => void }>) {
  const panel = usePanel();
  const texts = settingsTexts().data;
  const [isAsking, setAsking] = useState(false);
  const [{ isBusy, said: message }, tell] = useState<Progress>({ isBusy: false, said: '' });
  const erase = () =>
    work(panel, tell, async ({ api }) => {
      const erased = await api.ask('data.erase', { confirm: 'erase' });
      return erased.ok ? texts.erased(erased.files.length) : erased.reason;
    }).then(again);
  return (
    <SettingsCard id="erase" title={texts.erase}>
      <div className="card-body stack">
        <p>{texts.eraseMore}</p>
        <div className="setup-acts">
          <button className="btn" type="button" disabled={isBusy} onClick={() => setAsking(true)}>
            {texts.eraseButton}
          </button>
          <p role="status">{message}</p>
        </div>
      </div>
      {isAsking && <EraseDialog onAct={() => void erase()} onEnd={() => setAsking(false)} />}
    </SettingsCard>
  );
}

function EraseDialog({ onAct, onEnd }: Readonly<{ onAct: () => void; onEnd: () => void }>) {
  const texts = settingsTexts().data;
  const [typed, setTyped] = useState('');
  const isSure = typed.trim().toLowerCase() === texts.eraseWord;
  return (
    <Dialog
      title={texts.eraseTitle}
      action={texts.eraseAction}
      consequences={[texts.eraseMore]}
      isDisabled={!isSure}
      onAct={onAct}
      onEnd={onEnd}
    >
      <label className="set-field">
        <span>{texts.eraseType(texts.eraseWord)}</span>
        <input
          className="field"
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}

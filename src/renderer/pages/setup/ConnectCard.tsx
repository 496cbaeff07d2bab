import { Fragment, useState } from 'react';
import type { QueryInput } from '../../../contract/contract';
import { setupTexts } from '../../../texts';
import { useAnswer } from '../../app/asked';
import { usePanel } from '../../app/panel';
import { notifyResult } from '../../app/told';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { Diff } from '../../components/Diff';
import { Fold } from './Fold';
import { type Detected, namedIn } from './facts';
import { toldWrite } from './writes';

type Props = Readonly<{ directory: string | null; detected: Detected; onWritten: () => void }>;

type CardProps = Props & Readonly<{ isNext: boolean }>;

export function ConnectCard(props: CardProps) {
  return namedIn(props.detected) === null ? <ToConnect {...props} /> : <Connected {...props} />;
}

function useInstall({ directory, onWritten }: Pick<Props, 'directory' | 'onWritten'>) {
  const panel = usePanel();
  const { nowNames } = setupTexts().connect;
  const [change] = useState<Change>(() => changeOf(directory, 'install'));
  const { answer, problem } = useAnswer('setup.diff', change, JSON.stringify(change));
  const refusal = problem ?? (answer?.ok === false ? answer.reason : null);
  const files = answer?.ok ? answer.files : [];
  const add = () =>
    void toldWrite(panel, panel.api.ask('setup.apply', { ...change, seen: files.map(({ seen }) => seen) }), {
      text: nowNames,
      onWritten,
    });
  return { refusal, files, add };
}

function ToConnect({ directory, detected, isNext, onWritten }: CardProps) {
  const texts = setupTexts();
  const { refusal, files, add } = useInstall({ directory, onWritten });
  const [file] = files;
  return (
    <Fold
      id="change"
      title={file?.path ?? texts.connect.working}
      isPath={file !== undefined}
      caption={file?.seen === null ? texts.connect.newFile : ''}
      isNext={isNext}
    >
      {refusal !== null && <p className="card-body">{texts.failed(refusal)}</p>}
      {file && <Diff text={file.diff} />}
      <Promises />
      <div className="card-body setup-acts">
        <button className="btn btn-main" type="button" disabled={!file} onClick={add}>
          {texts.connect.add}
        </button>
        <CopyLine line={detected.line} />
      </div>
    </Fold>
  );
}

/** Install the companion first, so that the pasted text refers to it. */
function CopyLine({ line }: Readonly<{ line: string }>) {
  const { api } = usePanel();
  // silent: the setup page shows where the companion is missing
  const place = () => void api.ask('setup.place', {}).catch(() => {});
  return (
    <span onClickCapture={place}>
      <CopyButton text={line} label={setupTexts().connect.copy} />
    </span>
  );
}

function Promises() {
  const texts = setupTexts().connect;
  return (
    <dl className="pairs card-body">
      <dt>{texts.backup}</dt>
      <dd>{texts.backupMore}</dd>
      <dt>{texts.kept}</dt>
      <dd>{texts.keptMore}</dd>
      <dt>{texts.untouched}</dt>
      <dd>{texts.untouchedMore}</dd>
    </dl>
  );
}

function Connected({ directory, detected, onWritten }: Props) {
  const texts = setupTexts().connect;
  const named = detected.files.flatMap(({ path, companions }) => (companions.length > 0 ? [path] : []));
  const older = detected.installed.find(({ way, isOlder }) => way !== 'understudy' && isOlder);
  return (
    <Fold id="change" title={texts.isConnected} isNext={detected.companion === 'other' || older !== undefined}>
      <dl className="pairs card-body">
        <dt>{texts.namedIn}</dt>
        <Paths of={named} />
        {detected.installed.map(({ way, version, folder }) => (
          <Fragment key={`${way} ${folder}`}>
            <dt>{texts.ways[way]}</dt>
            <dd>
              {version ?? '–'} {folder !== null && <span className="path">{folder}</span>}
            </dd>
          </Fragment>
        ))}
      </dl>
      {older ? (
        <Replacement directory={namedIn(detected)?.scope === 'project' ? directory : null} onWritten={onWritten} />
      ) : (
        detected.companion === 'other' && <Update onWritten={onWritten} />
      )}
    </Fold>
  );
}

const Paths = ({ of }: Readonly<{ of: readonly string[] }>) => (
  <dd>
    {of.map((path) => (
      <span className="path" key={path}>
        {path}
      </span>
    ))}
  </dd>
);

/** Replaces an older companion from elsewhere. */
function Replacement(props: Pick<Props, 'directory' | 'onWritten'>) {
  const texts = setupTexts().connect;
  const { refusal, files, add } = useInstall(props);
  return (
    <>
      <p className="card-body">{refusal ?? texts.older}</p>
      {files.map(({ path, diff }) => (
        <Diff key={path} text={diff} />
      ))}
      <div className="card-body setup-acts">
        <button className="btn btn-main" type="button" disabled={files.length === 0} onClick={add}>
          {texts.update}
        </button>
      </div>
    </>
  );
}

export function Uninstall({ directory, detected, onWritten }: Props) {
  const [isRemoving, setRemoving] = useState(false);
  const named = namedIn(detected);
  if (named === null) return null;
  return (
    <div className="setup-end">
      <button className="btn btn-sm btn-quiet" type="button" onClick={() => setRemoving(true)}>
        {setupTexts().connect.remove}
      </button>
      {isRemoving && (
        <Removal
          change={changeOf(named.scope === 'project' ? directory : null, 'uninstall')}
          onWritten={onWritten}
          onEnd={() => setRemoving(false)}
        />
      )}
    </div>
  );
}

function Update({ onWritten }: Readonly<{ onWritten: () => void }>) {
  const panel = usePanel();
  const texts = setupTexts().connect;
  const update = async () => {
    await notifyResult(panel, panel.api.ask('setup.place', {}), { text: texts.updated });
    onWritten();
  };
  return (
    <div className="card-body setup-acts">
      <p>{texts.outdated}</p>
      <button className="btn btn-main" type="button" onClick={() => void update()}>
        {texts.update}
      </button>
    </div>
  );
}

type RemovalProps = Readonly<{ change: Change; onWritten: () => void; onEnd: () => void }>;

function Removal({ change, onWritten, onEnd }: RemovalProps) {
  const panel = usePanel();
  const texts = setupTexts().connect;
  const [evenIfEdited, setEvenIfEdited] = useState(false);
  const wish = { ...change, evenIfEdited };
  const { answer, problem } = useAnswer('setup.diff', wish, JSON.stringify(wish));
  const refusal = problem ?? (answer?.ok === false ? answer.reason : null);
  const { files, left = [] } = answer?.ok ? answer : { files: [] };
  const remove = () =>
    void toldWrite(panel, panel.api.ask('setup.apply', { ...wish, seen: files.map(({ seen }) => seen) }), {
      text: texts.namesNoMore,
      onWritten,
    });
  return (
    <Dialog
      title={texts.removeTitle}
      action={texts.removeAction}
      consequences={[refusal ?? (answer ? texts.removeMore : texts.working), ...left]}
      isDisabled={files.length === 0}
      onAct={remove}
      onEnd={onEnd}
    >
      {files.map(({ path, diff }) => (
        <div key={path}>
          <p className="small path">{path}</p>
          <Diff text={diff} />
        </div>
      ))}
      <label className="check">
        <input type="checkbox" checked={evenIfEdited} onChange={(event) => setEvenIfEdited(event.target.checked)} />
        {texts.evenIfEdited}
      </label>
    </Dialog>
  );
}

type Change = QueryInput<'setup.diff'>;

const changeOf = (directory: string | null, action: Change['action']): Change => ({
  directory,
  action,
  scope: directory === null ? 'global' : 'project',
  create: true,
  evenIfEdited: false,
});

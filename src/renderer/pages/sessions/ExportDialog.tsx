import { useEffect, useId, useRef, useState } from 'react';
import { sessionTexts } from '../../../texts';
import { reasonOf } from '../../app/asked';
import { type Panel, usePanel } from '../../app/panel';
import { saveFile } from '../../app/save-file';
import { CopyButton } from '../../components/CopyButton';
import { Dialog } from '../../components/Dialog';
import { addressOf, type Picture, pngOf } from './picture';
import { type MakePage, usePage } from './use-page';
import { figure } from './words';

const FORMATS = ['md', 'html', 'json', 'csv', 'svg', 'png'] as const;
type Format = (typeof FORMATS)[number];

const TYPES: Readonly<Record<Format, string>> = {
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  csv: 'text/csv',
  svg: 'image/svg+xml',
  png: 'image/png',
};
const PREVIEW_MAX_CHARS = 20_000;

type Made = Readonly<{ format: Format; name: string; text: string; picture: Picture | null }>;

type Props = Readonly<{
  /** Null for all sessions. */
  session: string | null;
  about: string;
  onEnd: () => void;
}>;

export function ExportDialog({ session, about, onEnd }: Props) {
  const panel = usePanel();
  const [format, setFormat] = useState<Format>('md');
  const { makePage, page } = usePage(panel);
  const { made, problem } = useMade(panel, session, format, makePage);
  const preview = useRef<HTMLPreElement>(null);
  const texts = sessionTexts().export;
  const save = () => {
    if (!made) return;
    saveFile(made.name, [made.picture?.blob ?? made.text], TYPES[made.format]);
    panel.notices.tell({ text: texts.saved(made.name), isRefusal: false, undo: null });
  };
  const select = () => {
    if (preview.current) window.getSelection()?.selectAllChildren(preview.current);
  };
  return (
    <Dialog
      title={texts.title(about)}
      action={texts.save}
      consequences={made ? consequencesOf(made) : [problem === null ? texts.making : texts.failed(problem)]}
      isDisabled={made === null}
      onAct={save}
      onEnd={onEnd}
    >
      {page}
      <Formats format={format} onChoose={setFormat} />
      <section className="export-preview" aria-label={texts.preview} data-format={made?.format}>
        {made && <Preview made={made} text={preview} />}
      </section>
      {made && made.picture === null && (
        <div>
          <CopyButton text={made.text} label={texts.copy} onRefused={select} />
        </div>
      )}
    </Dialog>
  );
}

function consequencesOf({ format, name, text, picture }: Made): readonly string[] {
  const texts = sessionTexts().export;
  const isPicture = format === 'svg' || format === 'png';
  const isCut = !isPicture && text.length > PREVIEW_MAX_CHARS;
  return [
    texts.name(name),
    isPicture ? texts.cleanPicture : texts.clean,
    ...(isCut ? [texts.cut(figure(PREVIEW_MAX_CHARS), figure(text.length))] : []),
    ...(picture ? [texts.size(picture.width, picture.height)] : []),
  ];
}

function Formats({ format, onChoose }: Readonly<{ format: Format; onChoose: (format: Format) => void }>) {
  const id = useId();
  const { formats, names } = sessionTexts().export;
  return (
    <fieldset className="choices export-formats">
      <legend className="sr">{formats}</legend>
      {FORMATS.map((name) => (
        <label key={name}>
          <input type="radio" name={id} checked={name === format} onChange={() => onChoose(name)} />
          {names[name]}
        </label>
      ))}
    </fieldset>
  );
}

type PreviewProps = Readonly<{ made: Made; text: React.RefObject<HTMLPreElement | null> }>;

/** The panel's policy forbids embedded pages. */
function Preview({ made: { format, text, picture }, text: place }: PreviewProps) {
  if (picture) return <img src={picture.address} alt={sessionTexts().export.names.png} />;
  if (format === 'svg') return <img src={addressOf(text)} alt={sessionTexts().export.names.svg} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre className="export-text" tabIndex={0} ref={place}>
      {text.slice(0, PREVIEW_MAX_CHARS)}
    </pre>
  );
}

type Making = Readonly<{ made: Made | null; problem: string | null }>;

/** Never shows or saves an earlier choice. */
const madeOfPage = (session: string, text: string): Made => {
  const about = session.replace(/[^\w-]/g, '_').slice(0, 60);
  return { format: 'html', name: `understudy-session-${about}.html`, text, picture: null };
};

function useMade({ api }: Panel, session: string | null, format: Format, makePage: MakePage): Making {
  const [making, setMaking] = useState<Making & Readonly<{ format: Format }>>({ format, made: null, problem: null });
  useEffect(() => {
    let isOver = false;
    const make = async (): Promise<Made> => {
      if (format === 'html' && session !== null) return madeOfPage(session, await makePage(session));
      const input = {
        ...(session === null ? {} : { session }),
        format: format === 'png' ? 'svg' : format,
      } as const;
      const { name, text } = await api.ask('scorecard.export', input);
      if (format !== 'png') return { format, name, text, picture: null };
      return { format, name: name.replace(/\.svg$/, '.png'), text, picture: await pngOf(text) };
    };
    make().then(
      (made) => isOver || setMaking({ format, made, problem: null }),
      (error: unknown) => isOver || setMaking({ format, made: null, problem: reasonOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [api, session, format, makePage]);
  return making.format === format ? making : { made: null, problem: null };
}

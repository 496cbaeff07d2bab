import { useRef } from 'react';
import { reasonOf } from '../../../renderer/app/asked';
import { usePanel } from '../../../renderer/app/panel';
import { saveFile } from '../../../renderer/app/save-file';
import { Icon } from '../../../renderer/components/Icon';
import { councilPageTexts } from '../../../texts';
import type { CouncilFormat } from '../contract/council';
import type { CouncilRunRow } from '../contract/council-run';

const TYPES: Readonly<Record<CouncilFormat, string>> = {
  md: 'text/markdown',
  html: 'text/html',
  json: 'application/json',
  sarif: 'application/sarif+json',
};

/** SARIF holds findings, and a brainstorm has none. */
export const formatsOf = ({ activity }: Pick<CouncilRunRow, 'activity'>): readonly CouncilFormat[] =>
  activity === 'code_review' ? ['md', 'html', 'json', 'sarif'] : ['md', 'html', 'json'];

export function useExportRun(run: string): (format: CouncilFormat) => Promise<void> {
  const { api, notices } = usePanel();
  return async (format) => {
    const texts = councilPageTexts();
    const answer = await api
      .ask('council.export', { run, format })
      .catch((error: unknown) => ({ ok: false as const, reason: reasonOf(error) }));
    if (answer.ok) saveFile(answer.name, [answer.text], TYPES[format]);
    const text = answer.ok ? texts.export.done(answer.name) : texts.export.failed(answer.reason);
    notices.tell({ text, isRefusal: !answer.ok, undo: null });
  };
}

type Props = Readonly<{ row: CouncilRunRow }>;

export function ExportBar({ row }: Props) {
  const texts = councilPageTexts().export;
  const save = useExportRun(row.run);
  return (
    <fieldset className="seg co-export" aria-label={texts.name}>
      {formatsOf(row).map((format) => (
        <button key={format} type="button" title={texts.as(texts.formats[format])} onClick={() => void save(format)}>
          {texts.formats[format]}
        </button>
      ))}
    </fieldset>
  );
}

export function ExportMenu({ row }: Props) {
  const texts = councilPageTexts().export;
  const save = useExportRun(row.run);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        event.preventDefault();
        close();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
    >
      <summary className="btn" aria-label={texts.name}>
        <Icon name="export" />
        {texts.button}
      </summary>
      <div className="menu-list">
        {formatsOf(row).map((format) => (
          <button
            key={format}
            className="btn btn-sm btn-quiet"
            type="button"
            aria-label={texts.as(texts.formats[format])}
            onClick={() => {
              close();
              void save(format);
            }}
          >
            {texts.formats[format]}
          </button>
        ))}
      </div>
    </details>
  );
}

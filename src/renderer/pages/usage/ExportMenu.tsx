import { type RefObject, useRef, useState } from 'react';
import type { UsageAnswer, UsagePart } from '../../../contract/usage';
import { usageTexts } from '../../../texts';
import { reasonOf } from '../../app/asked';
import { usePanel } from '../../app/panel';
import { saveFile } from '../../app/save-file';
import { Icon } from '../../components/Icon';
import { type PictureText, pictureOf } from './picture';

type Picture = Omit<PictureText, 'title'> & Readonly<{ drawing: RefObject<HTMLDivElement | null> }>;
type Props = Readonly<{ usage: UsageAnswer; part: UsagePart; title: string; picture?: Picture }>;

const TYPES = { csv: 'text/csv', json: 'application/json' } as const;

export function ExportMenu({ usage, part, title, picture }: Props) {
  const { api } = usePanel();
  const { card } = usageTexts();
  const [problem, setProblem] = useState<string | null>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  const run = (save: () => Promise<void>) => async () => {
    setProblem(null);
    close();
    await save().catch((error: unknown) => setProblem(card.failed(reasonOf(error))));
  };
  const saveAs = (format: 'csv' | 'json') =>
    run(async () => {
      const { name, text } = await api.ask('usage.export', { ...usage.question, part, format });
      saveFile(name, [text], TYPES[format]);
    });
  const savePicture = (of: Picture) =>
    run(async () => {
      const svg = of.drawing.current?.querySelector('svg');
      if (!svg) throw new TypeError('A chart without a drawing cannot be saved.');
      saveFile(`understudy-usage-${part}.png`, [await pictureOf(svg, { ...of, title })], 'image/png');
    });
  const choices = [
    ['CSV', saveAs('csv')],
    ['JSON', saveAs('json')],
    ...(picture ? [['PNG', savePicture(picture)] as const] : []),
  ] as const;
  return (
    <>
      <details
        className="menu"
        ref={menu}
        onKeyDown={(event) => event.key === 'Escape' && close()}
        onBlur={(event) => {
          // Closes when the focus leaves.
          if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
        }}
      >
        <summary className="btn btn-sm btn-icon" aria-label={card.exportOf(title)} title={card.export}>
          <Icon name="export" />
        </summary>
        <div className="menu-list">
          {choices.map(([format, save]) => (
            <button
              key={format}
              className="btn btn-sm btn-quiet"
              type="button"
              aria-label={card.exportAs(title, format)}
              onClick={save}
            >
              {format}
            </button>
          ))}
        </div>
      </details>
      <p className="menu-problem" role="status">
        {problem}
      </p>
    </>
  );
}

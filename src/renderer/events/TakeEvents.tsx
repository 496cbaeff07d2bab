import { useEffect, useRef, useState } from 'react';
import type { EventFilter } from '../../contract';
import { eventLogTexts } from '../../texts';
import { reasonOf } from '../asked';
import { useCommands } from '../commands/registry';
import { Icon } from '../components/Icon';
import { usePanel } from '../panel';
import { saveFile } from '../save-file';
import { allEvents, jsonLines } from './all-events';
import { eventsPhrase, figure } from './words';

/** More than this is not for a clipboard. */
const COPY_MAX = 5_000;

type Props = Readonly<{ filter: EventFilter; total: number }>;

/** Takes the events that fit along, as JSON lines: to the clipboard, or as a file. */
export function TakeEvents({ filter, total }: Props) {
  const { api } = usePanel();
  const [said, setSaid] = useState('');
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  const { take } = eventLogTexts();
  const collect = async (): Promise<Readonly<{ parts: string[]; count: number }> | null> => {
    const parts: string[] = [];
    let count = 0;
    for await (const events of allEvents(api, filter)) {
      if (isOver.current) return null;
      parts.push(jsonLines(events));
      count += events.length;
      setSaid(take.underWay(figure(count), figure(Math.max(count, total))));
    }
    return { parts, count };
  };
  const run = async (use: (taken: Readonly<{ parts: string[]; count: number }>) => Promise<string> | string) => {
    try {
      const taken = await collect();
      if (taken) setSaid(await use(taken));
    } catch (error) {
      setSaid(reasonOf(error));
    }
  };
  const copy = () => {
    if (total > COPY_MAX) return setSaid(take.tooMany(eventsPhrase(total)));
    void run(async ({ parts, count }) => {
      const isCopied = await navigator.clipboard.writeText(parts.join('')).then(
        () => true,
        () => false,
      );
      return isCopied ? take.copied(eventsPhrase(count)) : take.refused;
    });
  };
  const save = () =>
    void run(({ parts, count }) => {
      saveFile('understudy-events.jsonl', parts, 'application/x-ndjson');
      return take.saved(eventsPhrase(count));
    });
  useCommands(() => [
    { id: 'export', group: 'here', title: take.save, hint: eventsPhrase(total), run: save },
    { id: 'copy-events', group: 'here', title: take.copy, hint: eventsPhrase(total), run: copy },
  ]);
  return (
    <div className="log-take">
      <span className="small muted" role="status">
        {said}
      </span>
      <button className="btn btn-sm" type="button" onClick={copy}>
        <Icon name="copy" />
        {take.copy}
      </button>
      <button className="btn btn-sm" type="button" onClick={save}>
        <Icon name="export" />
        {take.save}
      </button>
    </div>
  );
}

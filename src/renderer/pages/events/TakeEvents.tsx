import { useEffect, useRef, useState } from 'react';
import type { EventFilter } from '../../../contract/events';
import { eventLogTexts } from '../../../texts';
import { reasonOf } from '../../app/asked';
import { useCommands } from '../../app/commands/use-commands';
import { usePanel } from '../../app/panel';
import { saveFile } from '../../app/save-file';
import { Icon } from '../../components/Icon';
import { allEvents, jsonLines } from './all-events';
import { eventsPhrase, figure } from './words';

const COPY_MAX = 5_000;

type Props = Readonly<{ filter: EventFilter; total: number }>;

type Taken = Readonly<{ parts: readonly string[]; count: number }>;

export function TakeEvents({ filter, total }: Props) {
  const { take } = eventLogTexts();
  const { said: message, say, run } = useTaking({ filter, total });
  const copy = () => (total > COPY_MAX ? say(take.tooMany(eventsPhrase(total))) : void run(copied));
  const save = () => void run(saved);
  useCommands(() => [
    { id: 'export', group: 'here', title: take.save, hint: eventsPhrase(total), run: save },
    { id: 'copy-events', group: 'here', title: take.copy, hint: eventsPhrase(total), run: copy },
  ]);
  return (
    <div className="log-take">
      <span className="small muted" role="status">
        {message}
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

async function copied({ parts, count }: Taken): Promise<string> {
  const { take } = eventLogTexts();
  const done = navigator.clipboard.writeText(parts.join(''));
  return done.then(
    () => take.copied(eventsPhrase(count)),
    () => take.refused, // silent: the reader is told that the browser refused
  );
}

function saved({ parts, count }: Taken): string {
  saveFile('understudy-events.jsonl', parts, 'application/x-ndjson');
  return eventLogTexts().take.saved(eventsPhrase(count));
}

/** Collection stops when the page closes. */
function useTaking({ filter, total }: Props) {
  const { api } = usePanel();
  const [message, say] = useState('');
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  const collect = async (): Promise<Taken | null> => {
    const parts: string[] = [];
    let count = 0;
    for await (const events of allEvents(api, filter)) {
      if (isOver.current) return null;
      parts.push(jsonLines(events));
      count += events.length;
      say(eventLogTexts().take.underWay(figure(count), figure(Math.max(count, total))));
    }
    return { parts, count };
  };
  const run = async (use: (taken: Taken) => Promise<string> | string): Promise<void> => {
    try {
      const taken = await collect();
      if (taken) say(await use(taken));
    } catch (error) {
      say(reasonOf(error));
    }
  };
  return { said: message, say, run };
}

import { type ChangeEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { EventCounts, EventFilter } from '../../../contract/events';
import { eventLogTexts } from '../../../texts';
import { Icon } from '../../components/Icon';
import { actorLabel, eventTime, familyLabel, figure, kindLabel } from './words';

/** Debounce, in ms. */
const TYPING_MS = 250;

type Change = (change: Partial<EventFilter>) => void;
type Props = Readonly<{ filter: EventFilter; counts: EventCounts | undefined; onChange: Change; onClear: () => void }>;

export function EventFilters({ filter, counts, onChange, onClear }: Props) {
  const texts = eventLogTexts().filters;
  return (
    <section className="log-filters" aria-label={texts.group}>
      <Search text={filter.text ?? ''} onChange={onChange} />
      <Families filter={filter} counts={counts} onChange={onChange} />
      <details className="log-more">
        <summary className="link small">{texts.more}</summary>
        <More filter={filter} counts={counts} onChange={onChange} />
      </details>
      <Chosen filter={filter} onChange={onChange} onClear={onClear} />
    </section>
  );
}

function Search({ text, onChange }: Readonly<{ text: string; onChange: Change }>) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  useEffect(() => {
    // A chip or the address changed the search.
    if (text !== sent.current) setTyped(text);
    sent.current = text;
  }, [text]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      onChange({ text: typed || undefined });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <label className="field log-search">
      <Icon name="search" />
      <span className="sr">{eventLogTexts().filters.search}</span>
      <input
        type="search"
        value={typed}
        maxLength={200}
        placeholder={eventLogTexts().filters.search}
        onChange={(event) => setTyped(event.target.value)}
      />
    </label>
  );
}

type PartProps = Pick<Props, 'filter' | 'counts' | 'onChange'>;

function toggled<T>(chosen: readonly T[], value: T): T[] | undefined {
  const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
  return next.length > 0 ? next : undefined;
}

function Families({ filter, counts, onChange }: PartProps) {
  const { codes = [] } = filter;
  const shown = counts?.families ?? [];
  return (
    <fieldset className="log-chips">
      <legend className="sr">{eventLogTexts().filters.families}</legend>
      {shown.map(({ value, count }) => (
        <button
          className="chip"
          type="button"
          key={value}
          aria-pressed={codes.includes(value)}
          onClick={() => onChange({ codes: toggled(codes, value) })}
        >
          {familyLabel(value)} <span className="chip-count">{figure(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}

function More({ filter, counts, onChange }: PartProps) {
  const texts = eventLogTexts().filters;
  return (
    <div className="log-fields">
      <Choice label={texts.agent} chosen={filter.agent} of={counts?.agents} onChoose={(agent) => onChange({ agent })} />
      <Choice label={texts.model} chosen={filter.model} of={counts?.models} onChoose={(model) => onChange({ model })} />
      <Choice
        label={texts.provider}
        chosen={filter.provider}
        of={counts?.providers}
        onChoose={(provider) => onChange({ provider })}
      />
      <Choice
        label={texts.kind}
        chosen={filter.kinds?.[0]}
        of={counts?.kinds}
        nameOf={kindLabel}
        onChoose={(kind) => onChange({ kinds: kind === undefined ? undefined : ([kind] as EventFilter['kinds']) })}
      />
      <Choice
        label={texts.actor}
        chosen={filter.actor}
        of={counts?.actors}
        nameOf={actorLabel}
        onChoose={(actor) => onChange({ actor })}
      />
      <Moment label={texts.from} at={filter.sinceMs} onChoose={(sinceMs) => onChange({ sinceMs })} />
      <Moment label={texts.to} at={filter.untilMs} onChoose={(untilMs) => onChange({ untilMs })} />
    </div>
  );
}

type ChoiceProps = Readonly<{
  label: string;
  chosen: string | undefined;
  of: EventCounts['agents'] | undefined;
  nameOf?: (value: string) => string;
  onChoose: (value: string | undefined) => void;
}>;

function Field({ label, children }: Readonly<{ label: string; children: (id: string) => ReactNode }>) {
  const id = useId();
  return (
    <div className="log-field">
      <label className="cap" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function Choice({ label, chosen, of = [], nameOf = String, onChoose }: ChoiceProps) {
  const texts = eventLogTexts().filters;
  // A selected choice without events can still be cleared.
  const isListed = chosen === undefined || of.some(({ value }) => value === chosen);
  const choices = isListed ? of : [{ value: chosen, count: 0 }, ...of];
  const onChange = (event: ChangeEvent<HTMLSelectElement>) => onChoose(event.target.value || undefined);
  return (
    <Field label={label}>
      {(id) => (
        <select className="field" id={id} value={chosen ?? ''} onChange={onChange}>
          <option value="">{texts.any}</option>
          {choices.map(({ value, count }) => (
            <option key={value} value={value}>
              {texts.choice(nameOf(value), figure(count))}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The browser's format: local, to the minute. */
const fieldTime = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

type MomentProps = Readonly<{ label: string; at: number | undefined; onChoose: (at: number | undefined) => void }>;

function Moment({ label, at, onChoose }: MomentProps) {
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = Date.parse(event.target.value);
    onChoose(Number.isNaN(chosen) ? undefined : chosen);
  };
  const value = at === undefined ? '' : fieldTime(at);
  return (
    <Field label={label}>
      {(id) => <input className="field" id={id} type="datetime-local" value={value} onChange={onChange} />}
    </Field>
  );
}

function Chosen({ filter, onChange, onClear }: Pick<Props, 'filter' | 'onChange' | 'onClear'>) {
  const texts = eventLogTexts().filters;
  const chips = chosenOf(filter);
  if (chips.length === 0) return null;
  return (
    <div className="log-chips">
      {chips.map(({ what, without }) => (
        <button
          className="chip chip-on"
          type="button"
          key={what}
          aria-label={texts.remove(what)}
          onClick={() => onChange(without)}
        >
          {what}
          <Icon name="close" />
        </button>
      ))}
      <button className="btn btn-sm btn-quiet" type="button" onClick={onClear}>
        {texts.clear}
      </button>
    </div>
  );
}

type Chip = Readonly<{ what: string; without: Partial<EventFilter> }>;

function chosenOf(filter: EventFilter): Chip[] {
  const texts = eventLogTexts().filters;
  const { codes = [], kinds = [], agent, model, provider, session, actor, text, sinceMs, untilMs } = filter;
  const chip = (label: string, value: string | undefined, without: Partial<EventFilter>): Chip[] =>
    value === undefined ? [] : [{ what: `${label}: ${value}`, without }];
  const time = (at: number | undefined) => (at === undefined ? undefined : eventTime(at, 0));
  return [
    ...codes.flatMap((code) => chip(texts.code, code, { codes: toggled(codes, code) })),
    ...kinds.flatMap((kind) => chip(texts.kind, kindLabel(kind), { kinds: toggled(kinds, kind) })),
    ...chip(texts.agent, agent, { agent: undefined }),
    ...chip(texts.model, model, { model: undefined }),
    ...chip(texts.provider, provider, { provider: undefined }),
    ...chip(texts.session, session, { session: undefined }),
    ...chip(texts.actor, actor && actorLabel(actor), { actor: undefined }),
    ...chip(texts.text, text, { text: undefined }),
    ...chip(texts.from, time(sinceMs), { sinceMs: undefined }),
    ...chip(texts.to, time(untilMs), { untilMs: undefined }),
  ];
}

import { type FormEvent, type RefObject, useId, useState } from 'react';
import { chainTexts, draftTexts } from '../../texts';
import { Icon } from '../components/Icon';

type Props = Readonly<{
  /** Models that can be chosen; others may be typed. */
  known: readonly string[];
  /** Each of them can be named as a whole, by a pattern. */
  providers: readonly string[];
  input: RefObject<HTMLInputElement | null>;
  onAdd: (model: string) => void;
}>;

/** A search among known models; what is not among them is taken as it is typed. */
export function AddModel({ known, providers, input, onAdd }: Props) {
  const texts = chainTexts().add;
  const id = useId();
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const model = text.trim();
    if (model === '') return;
    onAdd(model);
    setText('');
  };
  return (
    <form className="add" onSubmit={add}>
      <label className="sr" htmlFor={id}>
        {texts.label}
      </label>
      <input
        className="field"
        id={id}
        ref={input}
        list={`${id}-known`}
        placeholder={texts.shape}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <datalist id={`${id}-known`}>
        {known.map((model) => (
          <option key={model} value={model} />
        ))}
        {providers.map((provider) => (
          <option key={provider} value={`${provider}/*`} label={draftTexts().pattern.allOf(provider)} />
        ))}
      </datalist>
      <button className="btn" type="submit">
        <Icon name="plus" />
        {texts.button}
      </button>
    </form>
  );
}

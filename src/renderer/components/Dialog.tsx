import { type FormEvent, type ReactNode, useId } from 'react';
import { shellTexts } from '../../texts';
import { useModal } from './use-modal';

type Props = Readonly<{
  title: string;
  action: string;
  /** Read out with the main button. */
  consequences: readonly string[];
  isDisabled?: boolean;
  onAct: () => void;
  onEnd: () => void;
  children?: ReactNode;
}>;

/** Escape and Cancel change nothing. */
export function Dialog({ title, action, consequences, isDisabled = false, onAct, onEnd, children }: Props) {
  const dialog = useModal();
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onEnd();
    onAct();
  };
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={`${id}-title`} onClose={onEnd}>
      <form onSubmit={submit}>
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        <ul className="dialog-lines" id={`${id}-lines`} aria-live="polite">
          {consequences.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <div className="dialog-actions">
          <button className="btn" type="button" onClick={onEnd}>
            {shellTexts().dialog.cancel}
          </button>
          <button className="btn btn-main" type="submit" disabled={isDisabled} aria-describedby={`${id}-lines`}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}

import { useRef } from 'react';
import { CopyButton } from './CopyButton';

/** A command for a terminal. */
export function CommandLine({ command, label }: Readonly<{ command: string; label: string }>) {
  const code = useRef<HTMLElement>(null);
  const selectAll = () => {
    if (code.current) window.getSelection()?.selectAllChildren(code.current);
  };
  return (
    <div className="example-code">
      <pre>
        <code ref={code}>
          {command.split(' ').map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a command never change their order.
            <span key={index}>
              {index > 0 && ' '}
              <span className="command-word">{word}</span>
            </span>
          ))}
        </code>
      </pre>
      <CopyButton text={command} label={label} onRefused={selectAll} />
    </div>
  );
}

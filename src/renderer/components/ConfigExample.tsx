import { useRef } from 'react';
import { configTexts, shellTexts } from '../../texts';
import { CopyButton } from './CopyButton';
import { Marked } from './Marked';

const EXAMPLE = `{
  "agents": {
    "*": {
      "fallbackModels": [
        "anthropic/claude-sonnet-4-20250514",
        "openai/gpt-4o"
      ]
    }
  }
}
`;

export function ConfigExample() {
  const code = useRef<HTMLElement>(null);
  const selectAll = () => {
    if (code.current) window.getSelection()?.selectAllChildren(code.current);
  };
  return (
    <div className="example">
      <p className="muted">
        <Marked text={configTexts().example} />
      </p>
      <div className="example-code">
        <pre>
          <code ref={code}>{EXAMPLE}</code>
        </pre>
        <CopyButton text={EXAMPLE} label={shellTexts().copy.copy} onRefused={selectAll} />
      </div>
    </div>
  );
}

import { useRef } from 'react';
import { CopyButton } from './CopyButton';

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

/** How to give every agent an understudy: the smallest file that works, ready to copy. */
export function ConfigExample() {
  const code = useRef<HTMLElement>(null);
  const selectAll = () => {
    if (code.current) window.getSelection()?.selectAllChildren(code.current);
  };
  return (
    <div className="example">
      <p className="muted">
        Save this as <code>.opencode/model-fallback.json</code> in the project, or as <code>model-fallback.json</code>{' '}
        beside OpenCode's own configuration for all projects. <code>*</code> stands for every agent; name the models you
        can use, best first. It is read as soon as it is saved.
      </p>
      <div className="example-code">
        <pre>
          <code ref={code}>{EXAMPLE}</code>
        </pre>
        <CopyButton text={EXAMPLE} label="Copy" onRefused={selectAll} />
      </div>
    </div>
  );
}

import type { ConfigRow } from '../../contract/snapshot';
import { configTexts, trustTexts } from '../../texts';
import { hrefOf } from '../app/routes';
import { Glyph } from './Glyph';

export function Problems({ config }: Readonly<{ config: readonly ConfigRow[] }>) {
  const files = config.filter((file) => file.problems.length > 0);
  if (files.length === 0) return null;
  return (
    <section className="card problems" aria-label={configTexts().problems}>
      {files.map((file) => (
        <FileProblems key={file.path} file={file} />
      ))}
    </section>
  );
}

function FileProblems({ file }: Readonly<{ file: ConfigRow }>) {
  const texts = configTexts();
  const isBroken = file.problems.some((problem) => problem.severity === 'error');
  return (
    <div className="problem">
      <Glyph name="warn" />
      <div>
        <h2>
          <span className="path">{file.path}</span> {isBroken ? texts.hasError : texts.needsALook}
        </h2>
        <ul>
          {file.problems.map((problem) => (
            <li className="small" key={`${problem.line}:${problem.column}:${problem.message}`}>
              {problem.line !== null && texts.place(problem.line, problem.column ?? 1)}
              {problem.message}
            </li>
          ))}
        </ul>
        {file.problems.some(({ isAsking }) => isAsking) && (
          <p className="small">
            <a href={hrefOf('settings', 'projects')}>{trustTexts().look}</a>
          </p>
        )}
        <p className="small muted">{isBroken ? texts.broken : texts.inForce}</p>
      </div>
    </div>
  );
}

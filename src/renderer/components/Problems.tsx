import type { ConfigRow } from '../../contract';
import { Glyph } from './Glyph';

/** What is wrong with the configuration files: place, consequence, way out. Nothing while all is well. */
export function Problems({ config }: Readonly<{ config: readonly ConfigRow[] }>) {
  const files = config.filter((file) => file.problems.length > 0);
  if (files.length === 0) return null;
  return (
    <section className="card problems" aria-label="Configuration problems">
      {files.map((file) => (
        <FileProblems key={file.path} file={file} />
      ))}
    </section>
  );
}

function FileProblems({ file }: Readonly<{ file: ConfigRow }>) {
  const isBroken = file.problems.some((problem) => problem.severity === 'error');
  return (
    <div className="problem">
      <Glyph name="warn" />
      <div>
        <h2>
          <span className="path">{file.path}</span> {isBroken ? 'has an error' : 'needs a look'}
        </h2>
        <ul>
          {file.problems.map((problem) => (
            <li className="small" key={`${problem.line}:${problem.column}:${problem.message}`}>
              {problem.line !== null && `Line ${problem.line}, column ${problem.column ?? 1}: `}
              {problem.message}
            </li>
          ))}
        </ul>
        <p className="small muted">
          {isBroken
            ? 'Nothing stopped: the last good configuration stays in force. Save the file again and it is read anew.'
            : 'The rest of the file is in force.'}
        </p>
      </div>
    </div>
  );
}

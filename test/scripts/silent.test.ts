import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentProblems } from '../../scripts/check-silent.mjs';

/** Problems of a checkout that holds this text as `src/core/a.ts`. */
function problemsOf(...lines: readonly string[]): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'understudy-silent-'));
  mkdirSync(join(root, 'src', 'core'), { recursive: true });
  writeFileSync(join(root, 'src', 'core', 'a.ts'), lines.join('\n'));
  return silentProblems(root);
}

const FIX = 'use the error, count it with countError(), or give the reason as "// silent: …"';

describe('given a source file that swallows an error', () => {
  it.each([
    ['a catch without a name', ['try {', '  a();', '} catch {', '  b();', '}'], 3, 'this catch'],
    ['an empty catch', ['try { a(); } catch (error) {}'], 1, 'this catch'],
    ['a catch that does not use the error', ['try { a(); } catch (error) { b(error2.error); }'], 1, 'this catch'],
    ['a name in a text or a comment only', ["try { a(); } catch (error) { b('error'); /* error */ }"], 1, 'this catch'],
    ['a name in a template', [`try { a(); } catch (error) { b(\`\${c} error\`); }`], 1, 'this catch'],
    ['a catch inside a template', [`const a = \`\${b.catch(() => null)}\`;`], 1, 'this .catch()'],
    ['a handler without parameters', ['void a().catch(() => undefined);'], 1, 'this .catch()'],
    ['an async handler', ['void a()', '  .catch(async () => b());'], 2, 'this .catch()'],
    ['a handler with an unused parameter', ['void a().catch((error: unknown) => b());'], 1, 'this .catch()'],
    ['a handler with an underscore', ['void a().catch((_error) => b(_error));'], 1, 'this .catch()'],
    ['an old function', ['void a().catch(function () { b(); });'], 1, 'this .catch()'],
    ['a noop', ['void a().catch(noop);'], 1, 'this .catch()'],
    ['a second handler of then', ['a().then(b, () => null);'], 1, 'this .then()'],
    ['a listener of an error event', ["a.on('error', () => b());"], 1, 'this listener'],
    ['a reason without words', ['// silent:', 'void a().catch(() => null);'], 2, 'this .catch()'],
    ['a reason that is too far above', ['// silent: b', '', 'void a().catch(() => null);'], 3, 'this .catch()'],
  ] as const)('when it is %s, then the lint names its line', (_, lines, line, what) => {
    expect(problemsOf(...lines)).toEqual([`src/core/a.ts:${line}: ${what} ignores its error: ${FIX}`]);
  });
});

describe('given a source file that treats its errors', () => {
  it.each([
    ['uses the error', ['try { a(); } catch (error) { b(error); }']],
    ['counts it', ["try { a(); } catch (error) { countError('a', error); }", "void a().catch(countAs('a'));"]],
    ['throws another error', ['try { a(); } catch { throw new Error(b); }', 'await a().catch(() => { throw b; });']],
    ['uses it in a handler', ['void a().catch((error: unknown) => b(error));', 'a().then(b, (error) => c(error));']],
    ['names a function that takes it', ['void a().catch(reasonOf);', 'a().then(b, reject);']],
    [
      'uses it in a listener',
      ["a.once('error', (error) => b(error));", "a.on('error', b);", "a.on('end', () => c());"],
    ],
    ['gives the reason above', ['// silent: the file may be absent', 'void a().catch(() => null);']],
    ['gives the reason on the line', ['void a().catch(() => null); // silent: the file may be absent']],
    ['gives the reason in the block', ['try {', '  a();', '} catch {', '  // silent: b', '  return null;', '}']],
    ['has a default of a schema', ['const A = z.string().catch(undefined);']],
    ['has a catch in a text', ["const a = '} catch {}';", 'const b = /catch {/;', '// catch {}']],
  ])('when it %s, then the lint accepts it', (_, lines) => {
    expect(problemsOf(...lines)).toEqual([]);
  });
});

describe('given all sources', () => {
  it('when the lint reads them, then no error is swallowed silently', () => {
    expect(silentProblems(join(import.meta.dirname, '..', '..'))).toEqual([]);
  });
});

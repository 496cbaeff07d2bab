import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { createModelProbe } from '../../../src/node/opencode/model-probe';
import { writeProgram } from '../../support/write-program';
import { tempFolder } from '../temp-folder';

describe.skipIf(process.platform === 'win32')('given an OpenCode whose provider refuses the key', () => {
  it('when a model is probed, then the status and the kind of the failure are reported', async () => {
    const root = await tempFolder();
    const program = join(root, 'opencode');
    const error = '{"type":"error","sessionID":"ses_1","error":{"data":{"statusCode":401,"message":"Bad key"}}}';
    writeProgram(program, `#!/bin/sh\ncase "$1" in --version) echo 1.18.33;; run) echo '${error}';; esac\n`);
    const env = { PATH: process.env.PATH, HOME: root, UNDERSTUDY_HOME: root, OPENCODE_BIN: program };
    const result = await createModelProbe(env)({ model: 'alpha/one', directory: root });
    expect(result).toMatchObject({ ok: false, kind: 'auth', status: 401, reason: 'Bad key' });
  });
});

import * as z from 'zod';
import { parseJson } from '../../contract/parse-json';
import type { AppMessage } from '../../protocol';
import { Hello, PROTOCOL_VERSION } from '../../protocol';
import { tokensMatch } from '../base/token';

export type PeerHello = Omit<Hello, 'token'>;

export type StrangeHello = Readonly<{ protocol: number; peer: Hello['peer'] | null }>;

export type HelloVerdict =
  | Readonly<{ kind: 'accepted'; hello: PeerHello }>
  | Readonly<{ kind: 'incompatible'; hello: StrangeHello; message: AppMessage }>
  | Readonly<{ kind: 'refused'; message: AppMessage }>;

/** In every protocol version, so that each gets an answer. */
const HelloHead = Hello.unwrap().pick({ type: true, protocol: true, token: true });

/** Without the token a peer learns nothing. */
export function judgeHello(line: string, token: string): HelloVerdict {
  const json = parseJson(line);
  const head = HelloHead.safeParse(json);
  if (!head.success) return refused('invalid', 'The first line must be a hello.');
  if (!tokensMatch(head.data.token, token)) return refused('auth', 'The token is wrong.');
  const hello = Hello.safeParse(json);
  if (head.data.protocol !== PROTOCOL_VERSION) {
    const message = protocolText(head.data.protocol);
    return {
      kind: 'incompatible',
      hello: { protocol: head.data.protocol, peer: hello.success ? hello.data.peer : null },
      message: { type: 'refused', code: 'protocol', message },
    };
  }
  if (!hello.success) return refused('invalid', z.prettifyError(hello.error).slice(0, 300));
  const { token: _, ...rest } = hello.data;
  return { kind: 'accepted', hello: rest };
}

function refused(code: 'auth' | 'invalid', message: string): HelloVerdict {
  return { kind: 'refused', message: { type: 'refused', code, message } };
}

function protocolText(theirs: number): string {
  const older = theirs < PROTOCOL_VERSION ? 'you are older' : 'you are newer';
  return `Understudy speaks protocol ${PROTOCOL_VERSION}, you speak ${theirs}: ${older}. Update Understudy and its companion to the same version, then restart OpenCode.`;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = Readonly<{ authorization: string | undefined; question: string }>;

export type ChatEndpoint = Readonly<{
  address: string;
  received(): readonly Received[];
  most(): number;
  close(): Promise<void>;
}>;

/** Response to request n, counted from 1: a text, a status, or none. */
export type Answers = (at: number) => string | number | 'hold';

export async function startChatEndpoint(answers: Answers = () => 'right'): Promise<ChatEndpoint> {
  const received: Received[] = [];
  let underWay = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    const question = await questionIn(request);
    received.push({ authorization: request.headers.authorization, question });
    say(response, answers(received.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`,
    received: () => received,
    most: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function questionIn(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return (JSON.parse(text || '{}') as { messages?: { content: string }[] }).messages?.[0]?.content ?? '';
}

function say(response: ServerResponse, answer: string | number): void {
  if (answer === 'hold') return;
  if (typeof answer === 'number') return void response.writeHead(answer, { location: 'http://127.0.0.1:9/' }).end('{}');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: answer } }] }));
}

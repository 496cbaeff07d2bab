import type { Command } from 'commander';
import { answer, type PanelHost, type QueryOutput } from '../../contract/contract';
import type { NoticeRow } from '../../contract/notices';
import type { Outcome } from '../../node/base/failure';
import { noticeBody, noticeTitle } from '../../wording/notice-words';
import { dayAndMinute, plain } from '../../wording/status-text';
import { command } from '../command';
import type { CliParts, Finish, JsonOption } from '../parts';
import { showAnswer } from './core';

const ALL = { offset: 0, limit: 200 };

export function addNotices(data: Command, parts: CliParts, finish: Finish): void {
  command(data, 'notices', 'list the notices of Understudy, oldest first').action(async (options: JsonOption) =>
    finish(await showAnswer(parts, options, { ask: noticesOf, words: noticesText })),
  );
}

async function noticesOf(host: PanelHost): Promise<Outcome<{ value: readonly NoticeRow[] }>> {
  const reply = await answer(host.handlers, 'notices.list', ALL);
  if (!reply.ok) return reply;
  // `answer` validated the value against the contract.
  return { ok: true, value: (reply.value as QueryOutput<'notices.list'>).rows.toReversed() };
}

const noticesText = (rows: readonly NoticeRow[]): string =>
  rows.length === 0 ? 'There are no notices.' : rows.map(line).join('\n');

function line(row: NoticeRow): string {
  const mark = row.isRead ? ' ' : '*';
  return plain(`${mark} ${dayAndMinute(row.at)}  ${[noticeTitle(row), noticeBody(row)].filter(Boolean).join('. ')}`);
}

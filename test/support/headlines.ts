import { NoticePush } from '../../src/contract/notices';
import { trayIcon, trayTooltip } from '../../src/main/tray-view';
import { liveRows } from '../../src/wording/agent-record';
import { attentionOf, worstOf } from '../../src/wording/attention';
import {
  attentionDetail,
  attentionEnd,
  attentionTitle,
  protectedPhrase,
  verdict,
  wayPhrase,
} from '../../src/wording/attention-words';
import { noticeTitle } from '../../src/wording/notice-words';
import { protectionOf } from '../../src/wording/protection';
import { agentReason } from '../../src/wording/standing-words';
import { statusText } from '../../src/wording/status-text';
import type { TestCore } from '../core/virtual-core';
import { falseNotice, type Said } from './headline-checker';
import { pictureOf } from './stories';

export function noticeFalsehoods(test: Pick<TestCore, 'core'>): readonly string[] {
  const found: string[] = [];
  test.core.host.subscribe((name, data) => {
    if (name !== 'notice') return;
    const push = NoticePush.parse(data);
    if (push.type !== 'show') return;
    const { session } = push.notice;
    found.push(...falseNotice(pictureOf(test), { title: noticeTitle(push.notice), session }));
  });
  return found;
}

export function saidOf(test: Pick<TestCore, 'core'>): Said {
  const snapshot = pictureOf(test);
  const items = attentionOf(snapshot);
  return {
    ...verdict(snapshot),
    items: items.map((item) => ({
      kind: item.kind,
      text: `${attentionTitle(item, snapshot)}\n${attentionDetail(item, snapshot)}`,
      end: attentionEnd(item),
      button: wayPhrase(item)?.short ?? '',
      does: [
        item.way.kind,
        ...('view' in item.way ? [item.way.view, item.way.detail] : []),
        'act' in item.way ? item.way.act.type : '',
      ]
        .join(' ')
        .trim(),
    })),
    protectedPhrase: protectedPhrase(snapshot),
    icon: trayIcon(snapshot),
    tooltip: trayTooltip(snapshot),
    status: statusText(snapshot),
    reasons: liveRows(snapshot).map(({ row, record }) => agentReason(record, row)),
    map: protectionOf(snapshot).agents.map((agent) => ({
      ...{ directory: agent.directory, agent: agent.agent },
      worst: worstOf(items, agent)?.kind ?? null,
    })),
  };
}

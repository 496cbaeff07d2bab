import { Glyph, type GlyphName } from '../../../renderer/components/Glyph';
import { Icon } from '../../../renderer/components/Icon';
import type { CouncilRunRow } from '../contract/council-run';

type State = CouncilRunRow['state'];

const GLYPHS: Readonly<Record<Exclude<State, 'awaiting_fallback_decision' | 'stopped'>, GlyphName>> = {
  idle: 'unseen',
  ai_generating: 'probing',
  paused_for_user: 'paused',
  paused: 'down',
  finished: 'ready',
  left: 'offline',
  fetching: 'probing',
  not_begun: 'unseen',
};

export function RunMark({ state }: Readonly<{ state: State }>) {
  if (state === 'awaiting_fallback_decision') return <Icon name="ask" className="g co-asks" />;
  if (state === 'stopped') return <Icon name="stop" className="g c-ink" />;
  return <Glyph name={GLYPHS[state]} />;
}

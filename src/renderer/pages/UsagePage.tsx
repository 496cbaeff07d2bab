import { shellTexts } from '../../texts';
import { PageHead } from '../components/PageHead';

export function UsagePage() {
  return <PageHead title={shellTexts().views.usage} lede={''} />;
}

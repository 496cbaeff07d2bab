import { shellTexts } from '../../texts';
import { PageHead } from '../components/PageHead';

export function SetupPage() {
  return <PageHead title={shellTexts().views.setup} lede={''} />;
}

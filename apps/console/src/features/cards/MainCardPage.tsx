/** /mainCard. */
import { KeyCardPage } from './KeyCardPage.tsx'

export default function MainCardPage() {
  return <KeyCardPage kind="main" tab="mainCard" />
}

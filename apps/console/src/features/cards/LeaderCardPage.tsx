/** /leaderCard. */
import { KeyCardPage } from './KeyCardPage.tsx'

export default function LeaderCardPage() {
  return <KeyCardPage kind="leader" tab="leaderCard" />
}

/** /clientUpgradeDetail?id=: an upgrade of the terminals' program or of their face models. */
import { TaskDetail } from './TaskDetail.tsx'

export default function ClientUpgradeDetailPage() {
  return <TaskDetail />
}

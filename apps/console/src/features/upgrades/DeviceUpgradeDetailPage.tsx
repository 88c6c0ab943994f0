/** /deviceUpgradeDetail?id=: an upgrade of what else devices are made of, such as an apk. */
import { TaskDetail } from './TaskDetail.tsx'

export default function DeviceUpgradeDetailPage() {
  return <TaskDetail />
}
